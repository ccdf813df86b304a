import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { createAgentKey } from '../../../builders/createAgentKey.ts'
import { signAsAgent } from '../../../builders/signAsAgent.ts'
import { storeAgentKey } from '../../../builders/storeAgentKey.ts'
import { testsPostgres } from '../../../harness/database/postgres.ts'
import { recordStatements } from '../../../harness/database/recordStatements.ts'
import { type OwnerScene, openOwnerScene, PDLSS } from '../../services/approvals/openOwnerScene.ts'

/** The column by which each table that a decision writes would be distributed. Source: docs/scaling.md. */
const DISTRIBUTED = {
  cumulative_spend: 'agent_id',
  pending_records: 'counterparty_owner_id',
  receipts: 'agent_id',
  record_origins: 'record_id',
  standing_approvals: 'agent_id',
  step_up_approvals: 'agent_id',
  sub_agent_grants: 'agent_id',
  transaction_grants: 'scope',
  used_proofs: 'proof',
}
/** Tables of which every node would have a copy, because decisions read them and do not write them. */
const COPIED = ['agents', 'agent_keys', 'interventions']
/** Tables whose statements do not name their column yet: this list may only become shorter. */
const EXCEPTIONS = ['idempotency_keys']

/** The tables that a statement reads or writes. */
const tablesOf = (text: string): string[] =>
  [...text.matchAll(/\bINTO\s+([a-z_]+)|\b(?:FROM|JOIN|UPDATE|USING)\s+([a-z_]+)\b(?!\s*[(.])/g)].map(
    ([, inserted, other]) => inserted ?? other ?? '',
  )

/** Whether an insert states the column, and any other statement compares it. */
function namesColumn(text: string, table: string, column: string): boolean {
  const inserted = new RegExp(`INSERT INTO ${table} \\(([^)]*)\\)`).exec(text)?.[1]
  if (inserted !== undefined) return inserted.split(/,\s*/).includes(column)
  const conditions = text.slice(text.search(/\b(WHERE|ON)\b/))
  return new RegExp(`\\b${column}\\b[^()]*(=|\\) IN)`).test(conditions)
}

describe('the statements of a decision on PostgreSQL', () => {
  let scene: OwnerScene

  before(async function () {
    if (!testsPostgres) this.skip()
    // Traced, but to nobody.
    scene = await openOwnerScene({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' })
  })
  after(() => scene?.service.stop())

  /** Has a request decided and approved that uses everything a decision can: caps, proofs, approvals, a key, a receipt. */
  async function decideEverything(): Promise<string[]> {
    const owner = await scene.owner()
    const limits = { maxTransactionsPerHour: 100, maxCumulativeSpend: 900, cumulativePeriod: 'day' }
    const pdlss = { limits, selfInstantiation: { allowed: true, maxSubAgents: 5, maxDepth: 2 } }
    const counterpartyUrl = `https://${randomUUID()}.acme.io/api`
    const bearer = scene.shop.apiKey
    const endpoint = { counterpartyType: 'api', name: 'Shop', counterpartyUrl, includeReceipt: true, pdlss }
    const registered = await scene.call('POST', '/api/endpoints', { bearer, body: endpoint })
    const counterpartyId: string = registered.body.svceId
    const agentId = await owner.agent({ pdlss: { ...PDLSS, selfInstantiation: pdlss.selfInstantiation } })
    const recommendations: string[] = []
    const verify = async (request: object, headers: Record<string, string> = {}) => {
      const body = await scene.prove(request)
      const answer = await scene.call('POST', '/api/agents/verify-access', { bearer, headers, body })
      recommendations.push(answer.body.recommendation)
      return answer.body
    }
    const request = scene.asking(agentId, { counterpartyId })
    const { approvalId } = (await verify(request)).stepUpApproval
    await owner.approveInAdvance(approvalId, { amount: 500, days: 7 })
    await verify(request, { 'idempotency-key': randomUUID() })
    await verify(scene.asking(agentId, { counterpartyId }))
    await verify(
      scene.asking(agentId, {
        counterpartyId,
        transactionValue: 1,
        subAgent: { depth: 1 },
        sessionDuration: 600,
      }),
    )
    const [signing, key] = [await owner.agent(), createAgentKey()]
    await storeAgentKey(scene.service, signing, key)
    const created = Math.floor(scene.time.now / 1000)
    const callerMetadata = signAsAgent(key, { svcId: signing, url: counterpartyUrl, created })
    const fields = { counterpartyId, transactionValue: 1, callerMetadata }
    recommendations.push((await scene.verifyUnproven(scene.asking(signing, fields))).body.recommendation)
    return recommendations
  }

  it('name the column by which the table would be distributed over nodes', async () => {
    const { result, statements } = await recordStatements(decideEverything)
    expect(result).to.deep.equal(['step_up_required', 'grant', 'grant', 'grant', 'grant'])
    const texts = new Set(
      statements.flatMap(({ connection, text }) => (connection === 'svc-recorder' ? [text] : [])),
    )
    const seen = new Set<string>()
    for (const text of texts) {
      for (const table of tablesOf(text)) {
        seen.add(table)
        const column = DISTRIBUTED[table as keyof typeof DISTRIBUTED]
        if (column === undefined) expect([...COPIED, ...EXCEPTIONS], text).to.include(table)
        else expect(namesColumn(text, table, column), `${table}.${column} in ${text}`).to.equal(true)
      }
    }
    expect([...seen].sort()).to.deep.equal([...Object.keys(DISTRIBUTED), ...COPIED, ...EXCEPTIONS].sort())
  })
})
