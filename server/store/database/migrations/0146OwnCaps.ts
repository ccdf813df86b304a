import type { Knex } from 'knex'
import type { NumberedMigration } from '../numberedMigration.ts'

/**
 * Grants of a sub-agent that inherits its boundary and has another hourly cap than its parent also count under a name of its
 * own. Whose the earlier ones of a family are is not known, so each such sub-agent starts with all of the last hour, as
 * before: a cap is reached too early for an hour rather than exceeded.
 */
export const ownCaps: NumberedMigration = {
  name: '0146_own_caps',
  oldestBeside: '0117_database_features',
  async up(schema) {
    const scopes = await listRecentScopes(schema)
    if (scopes.size === 0) return
    const children: Child[] = await schema('agents as child')
      .join('agents as parent', 'parent.svc_id', 'child.parent_agent_id')
      .select({ svcId: 'child.svc_id', parentId: 'child.parent_agent_id' })
      .select({ own: 'child.pdlss', inherited: 'parent.pdlss' })
      .where('child.pdlss', 'like', '%"maxTransactionsPerHour"%')
      .where('parent.pdlss', 'like', '%"inheritPermissions":true%')
    for (const { svcId, parentId, own, inherited } of children) {
      if (capOf(own) === undefined || capOf(own) === capOf(inherited)) continue
      const holder = await findHolder(schema, parentId)
      for (const scope of scopes.get(holder) ?? []) {
        await copyGrants(schema, scope, svcId + scope.slice(holder.length))
      }
    }
  },
  /** The names mean nothing to earlier releases, and the retention job deletes their grants. */
  async down() {},
}

type Child = { svcId: string; parentId: string; own: string; inherited: string }

/** How long a grant counts. */
const HOUR_MS = 3_600_000

/** The names under which agents have counted in the last hour, by agent: proven requests, and those of each account. */
async function listRecentScopes(schema: Knex): Promise<Map<string, string[]>> {
  const newest = await schema('transaction_grants').max({ at: 'granted_at' }).first()
  const rows: { scope: string }[] = await schema('transaction_grants')
    .distinct('scope')
    .where('granted_at', '>', Number(newest?.at ?? 0) - HOUR_MS)
  const byAgent = new Map<string, string[]>()
  for (const { scope } of rows) {
    // Caps of endpoints are counted as before.
    if (scope.includes('@')) continue
    const [agentId = ''] = scope.split('~')
    byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), scope])
  }
  return byAgent
}

/** The highest ancestor from which an agent inherits, whose name stood for the family. */
async function findHolder(schema: Knex, parentId: string): Promise<string> {
  const above: Omit<Child, 'own'> | undefined = await schema('agents as child')
    .join('agents as parent', 'parent.svc_id', 'child.parent_agent_id')
    .select({ svcId: 'child.svc_id', parentId: 'child.parent_agent_id', inherited: 'parent.pdlss' })
    .where('child.svc_id', parentId)
    .first()
  return above?.inherited.includes('"inheritPermissions":true')
    ? findHolder(schema, above.parentId)
    : parentId
}

async function copyGrants(schema: Knex, from: string, to: string): Promise<void> {
  await schema('transaction_grants').delete().where({ scope: to })
  await schema.raw(
    `INSERT INTO transaction_grants (scope, granted_at, ordinal)
      SELECT ?, granted_at, ordinal FROM transaction_grants WHERE scope = ?`,
    [to, from],
  )
}

function capOf(pdlss: string): number | undefined {
  return JSON.parse(pdlss).limits?.maxTransactionsPerHour
}
