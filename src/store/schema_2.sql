-- The snapshot whose layer lies under this one's; null = its own layer is whole. Not always its parent.
ALTER TABLE snapshot ADD COLUMN base TEXT;
UPDATE snapshot SET base = parent;
CREATE INDEX snapshot_parent ON snapshot (parent, created_at, row);
