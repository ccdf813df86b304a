import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { openReceipts } from './openReceipts.ts'

export type Uses = Awaited<ReturnType<typeof openUses>>

/** Opens receipts with an agent whose key signs, and reports uses of its grants. */
export async function openUses() {
  const scene = await openReceipts()
  const agentId = await scene.agentOwner.agent({ pdlss: {} })
  const key = await scene.addKey(agentId)

  const grant = async (fields: object = {}) => {
    const answer = await scene.ask({ agentId, sessionDuration: 3_600, ...key.prove(), ...fields })
    expect(answer.recommendation).to.equal('grant')
    return answer as { auditRecordId: string; sessionId: string; receipt: string }
  }
  const useOf = ({ auditRecordId }: { auditRecordId: string }, fields: object = {}) => ({
    useId: randomUUID(),
    auditRecordId,
    usedAt: new Date(scene.time.now).toISOString(),
    nonce: randomUUID(),
    // As the intent proofs of these tests.
    expires: Math.floor(scene.time.now / 1000) + 60,
    ...fields,
  })
  const report = (uses: readonly object[], bearer = scene.shop.apiKey) =>
    scene.call('POST', '/api/agents/verify-access/uses', { bearer, body: { uses } })
  const contradictionsOf = async (...uses: object[]) =>
    (await report(uses)).body.uses.map(({ contradiction }: { contradiction: string | null }) => contradiction)
  const eventsOf = async ({ sessionId }: { sessionId: string }, bearer?: string) => {
    const path = '/api/activity?eventType=verification.reused&limit=100'
    const { items } = (await scene.agentOwner.call('GET', path, bearer === undefined ? {} : { bearer })).body
    return items.filter(
      (item: { eventData: { sessionId: string } }) => item.eventData.sessionId === sessionId,
    )
  }
  /** Reports a use, and expects that it is refused and leaves no trace. */
  const refused = async (
    contradiction: string,
    granted: { sessionId: string },
    use: { useId: string },
    bearer?: string,
  ) => {
    expect((await report([use], bearer)).body.uses).to.deep.equal([
      { useId: use.useId, status: 'refused', contradiction },
    ])
    expect(await eventsOf(granted)).to.deep.equal([])
  }

  return { scene, agentId, key, grant, useOf, report, contradictionsOf, eventsOf, refused }
}
