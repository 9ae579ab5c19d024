-- `fact` is the service's object, `kept` what only the engine knows; the columns below them are read from there.

CREATE TABLE sandbox (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    fact TEXT NOT NULL,
    kept TEXT NOT NULL,
    name TEXT NOT NULL AS (json_extract(fact, '$.name')),
    status TEXT NOT NULL AS (json_extract(fact, '$.status')),
    created_at INTEGER NOT NULL AS (json_extract(fact, '$.createdAt')),
    status_updated_at INTEGER NOT NULL AS (json_extract(fact, '$.statusUpdatedAt')),
    current_snapshot TEXT NOT NULL AS (coalesce(json_extract(fact, '$.currentSnapshotId'), ''))
) STRICT;
CREATE UNIQUE INDEX sandbox_name ON sandbox (project, name);
CREATE INDEX sandbox_created ON sandbox (created_at, row);
CREATE INDEX sandbox_status ON sandbox (status_updated_at, row);

CREATE TABLE session (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    sandbox INTEGER NOT NULL REFERENCES sandbox (row) ON DELETE CASCADE,
    fact TEXT NOT NULL,
    id TEXT NOT NULL AS (json_extract(fact, '$.id')),
    status TEXT NOT NULL AS (json_extract(fact, '$.status')),
    created_at INTEGER NOT NULL AS (json_extract(fact, '$.createdAt')),
    source_snapshot TEXT AS (json_extract(fact, '$.sourceSnapshotId'))
) STRICT;
CREATE UNIQUE INDEX session_id ON session (id);
CREATE INDEX session_sandbox ON session (sandbox, created_at, row);

-- A snapshot outlives its sandbox.
CREATE TABLE snapshot (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    project TEXT NOT NULL,
    sandbox TEXT NOT NULL,
    expiration INTEGER,
    layer INTEGER NOT NULL DEFAULT 1, -- whether its files are still there
    fact TEXT NOT NULL,
    id TEXT NOT NULL AS (json_extract(fact, '$.id')),
    status TEXT NOT NULL AS (json_extract(fact, '$.status')),
    parent TEXT AS (json_extract(fact, '$.parentId')),
    created_at INTEGER NOT NULL AS (json_extract(fact, '$.createdAt')),
    expires_at INTEGER AS (json_extract(fact, '$.expiresAt'))
) STRICT;
CREATE UNIQUE INDEX snapshot_id ON snapshot (id);
CREATE INDEX snapshot_created ON snapshot (created_at, row);
