import { isPostgres } from '../knexSettings.ts'
import type { NumberedMigration } from '../numberedMigration.ts'

/** The columns of a record, the same in both tables. */
const RECORD = `record_id, recorded_at, event_type, owner_id, counterparty_owner_id, agent_id, endpoint_id, session_id,
  event_data, inputs, inputs_salt, entry`

/**
 * Records of PostgreSQL that are committed and have no place in the log yet, in the order of their insertion.
 *
 * Every record passes through, so dead rows are removed by their number and not by their share. A granted sub-agent no
 * longer has the place of its record for a key: it counts down from −1, which no place of an older row is.
 */
export const pendingRecords: NumberedMigration = {
  name: '0103_pending_records',
  async up(schema) {
    if (!isPostgres(schema)) return
    await schema.raw(`CREATE TABLE pending_records (
      position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      record_id TEXT NOT NULL,
      recorded_at BIGINT NOT NULL,
      event_type TEXT NOT NULL,
      owner_id TEXT,
      counterparty_owner_id TEXT,
      agent_id TEXT,
      endpoint_id TEXT,
      session_id TEXT,
      event_data TEXT NOT NULL,
      inputs TEXT NOT NULL,
      inputs_salt TEXT NOT NULL,
      entry TEXT NOT NULL
    ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000)`)
    await schema.raw('CREATE SEQUENCE sub_agent_grant_keys INCREMENT BY -1')
    await schema.raw(
      `ALTER TABLE sub_agent_grants ALTER COLUMN seq SET DEFAULT nextval('sub_agent_grant_keys')`,
    )
  },
  async down(schema) {
    if (!isPostgres(schema)) return
    await schema.raw('ALTER TABLE sub_agent_grants ALTER COLUMN seq DROP DEFAULT')
    await schema.raw('DROP SEQUENCE sub_agent_grant_keys')
    await schema.raw(`INSERT INTO audit_records (seq, ${RECORD})
      SELECT (SELECT COALESCE(MAX(seq) + 1, 0) FROM audit_records) + row_number() OVER (ORDER BY position) - 1, ${RECORD}
      FROM pending_records ORDER BY position`)
    await schema.raw('DROP TABLE pending_records')
  },
}
