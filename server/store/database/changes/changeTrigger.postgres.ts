import type { Knex } from 'knex'

/** The notification to send for a changed row, and when. */
export type ChangeTrigger = {
  name: string
  table: string
  /** As in `CREATE TRIGGER`. */
  events: string
  /** SQL expression over the row `changed` that yields kind and ids of the change; null sends nothing. */
  payload: string
}

/**
 * Makes PostgreSQL notify every process of each change to a table, through `listenToChanges`.
 *
 * A notification is sent on commit, whoever made the change; identical ones in a transaction are sent once. A
 * migration calls this for every table that feeds cached facts, and again after it rebuilds such a table. Migration 0117
 * changes how the triggers created before it notify.
 */
export async function createChangeTrigger(
  schema: Knex,
  { name, table, events, payload: says }: ChangeTrigger,
): Promise<void> {
  const { rows } = await schema.raw("SELECT 1 FROM pg_proc WHERE proname = 'tell_change'")
  const send = rows.length > 0 ? 'tell_change(said)' : "pg_notify('svc_changes', said)"
  await schema.raw(`CREATE FUNCTION tell_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      said text;
    BEGIN
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      said := ${says};
      IF said IS NOT NULL THEN PERFORM ${send}; END IF;
      RETURN NULL;
    END $$`)
  await schema.raw(
    `CREATE TRIGGER tell_${name} AFTER ${events} ON ${table} FOR EACH ROW EXECUTE FUNCTION tell_${name}()`,
  )
}
