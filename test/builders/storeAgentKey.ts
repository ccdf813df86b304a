import { randomUUID } from 'node:crypto'
import type { createAgentKey } from './createAgentKey.ts'

type Stores = { rows(sql: string, ...values: unknown[]): Promise<unknown> }

/** Stores a key of an agent as its owner would have added it, before the service first reads the agent. */
export async function storeAgentKey(
  service: Stores,
  agentId: string,
  { kid, jwk }: ReturnType<typeof createAgentKey>,
): Promise<void> {
  await service.rows(
    'INSERT INTO agent_keys (id, agent_id, kid, jwk, created_at) VALUES (?, ?, ?, ?, ?)',
    ...[randomUUID(), agentId, kid, JSON.stringify(jwk), Date.now()],
  )
}
