import type { Knex } from 'knex'

/** What is said of a changed row, and when. */
export type ChangeTrigger = {
  name: string
  table: string
  /** As in `CREATE TRIGGER`. */
  events: string
  /** An expression over the row `changed`: what has changed, and which. Null says nothing. */
  payload: string
}

/**
 * Makes PostgreSQL tell every process of each change to a table, as `listenToChanges` hears it.
 *
 * Sent with the commit of the change, whoever made it; the same said twice in one transaction is said once. A migration
 * that adds a table from which cached facts are made calls this for it, and again for one that it builds anew.
 */
export async function createChangeTrigger(
  schema: Knex,
  { name, table, events, payload: says }: ChangeTrigger,
): Promise<void> {
  await schema.raw(`CREATE FUNCTION tell_${name}() RETURNS trigger LANGUAGE plpgsql AS $$
    DECLARE
      changed record;
      said text;
    BEGIN
      IF TG_OP = 'DELETE' THEN changed := OLD; ELSE changed := NEW; END IF;
      said := ${says};
      IF said IS NOT NULL THEN PERFORM pg_notify('svc_changes', said); END IF;
      RETURN NULL;
    END $$`)
  await schema.raw(
    `CREATE TRIGGER tell_${name} AFTER ${events} ON ${table} FOR EACH ROW EXECUTE FUNCTION tell_${name}()`,
  )
}
