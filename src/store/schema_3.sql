-- Projects that were made, or that a sandbox was put into: those are called by their id.
CREATE TABLE project (
    row INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL UNIQUE,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX project_created ON project (created_at, row);
INSERT INTO project (id, name, created_at)
    SELECT project, project, min(created_at) FROM sandbox WHERE project <> 'local' GROUP BY project;

-- How many run is asked at every start of a session.
CREATE INDEX session_unfinished ON session (row) WHERE status NOT IN ('stopped', 'failed', 'aborted');

-- Sessions go with their sandbox; what they used stays on the bill.
CREATE TABLE past_session (fact TEXT NOT NULL) STRICT;
CREATE TRIGGER session_removed AFTER DELETE ON session BEGIN
    INSERT INTO past_session (fact) VALUES (OLD.fact);
END;
