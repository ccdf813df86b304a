/**
 * The tables of the peers that commit once per request: those of the three rows that a decision reads, and an append-only
 * table with no index but its key, like the service's own.
 */
export const peerTables = `
  CREATE TABLE api_keys (key_hash TEXT PRIMARY KEY, owner_id TEXT NOT NULL);
  CREATE TABLE agents (svc_id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, pdlss TEXT NOT NULL);
  CREATE TABLE endpoints (svce_id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, pdlss TEXT NOT NULL);
  CREATE TABLE records (
    seq INTEGER PRIMARY KEY, record_id TEXT NOT NULL, recorded_at INTEGER NOT NULL, agent_id TEXT,
    endpoint_id TEXT, request TEXT NOT NULL, answer TEXT NOT NULL
  );
  INSERT INTO api_keys VALUES ('5a', 'SVCO-0123456789abcdefghijkl');
  INSERT INTO agents VALUES ('SVC-0123456789abcdefghijkl', 'SVCD-0123456789abcdefghijkl', '{}');
  INSERT INTO endpoints VALUES ('SVCE-0123456789abcdefghijkl', 'SVCO-0123456789abcdefghijkl', '{}');
`
