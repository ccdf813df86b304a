import { randomUUID } from 'node:crypto'
import { hashLeaf, rootOfPeaks } from '@svc/core/audit/merkleHash.ts'
import { appendLeaves } from '@svc/core/audit/merkleTree.ts'
import { checkProofDocument } from '@svc/core/audit/proofDocument.ts'
import { encodeHex } from '@svc/core/bytes.ts'
import { expect } from 'chai'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createApprover } from '../builders/createApprover.ts'
import {
  createOrganisation,
  type Organisation,
  registerAgent,
  registerEndpoint,
} from '../builders/participants.ts'
import { testsPostgres } from '../harness/database/postgres.ts'
import { createCredentialHolder } from '../harness/peers/createCredentialHolder.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { api } from '../harness/service/api.ts'
import { startTwoProcesses, type TwoProcesses } from '../harness/service/startTwoProcesses.ts'

const COPIES = 64
const VERIFY = '/api/agents/verify-access'

describe('two processes over one PostgreSQL', () => {
  let two: TwoProcesses
  let shop: Organisation
  let svceId: string
  let calls = 0

  before(async function () {
    if (!testsPostgres) this.skip()
    two = await startTwoProcesses()
    shop = await createOrganisation(baseUrl(0))
    svceId = await registerEndpoint(baseUrl(1), shop.apiKey)
  })
  after(() => two?.stop())

  const baseUrl = (nth: number): string => two.baseUrls[nth % 2] ?? ''
  const verify = (body: object, nth = calls++, headers: Record<string, string> = {}) => {
    const options = { bearer: shop.apiKey, headers, body: { counterpartyId: svceId, ...body } }
    return api(baseUrl(nth), 'POST', VERIFY, options)
  }
  const sendAll = (bodyOf: () => object, copies = COPIES) =>
    Promise.all(Array.from({ length: copies }, (_, nth) => verify(bodyOf(), nth)))
  const grantsIn = (answers: { body: { recommendation: string } }[]) =>
    answers.filter(({ body }) => body.recommendation === 'grant').length

  const owner = () => createApprover({ baseUrl, rows: two.rows, counterpartyId: svceId })

  it(`create 5 of ${COPIES} concurrent sub-agents where 5 are allowed, and both learn that they are held`, async () => {
    const account = privateKeyToAccount(generatePrivateKey())
    const pdlss = { selfInstantiation: { allowed: true, maxSubAgents: 5 } }
    const { svcId } = await registerAgent(baseUrl(0), { pdlss }, { account })
    const tries = await Promise.allSettled(
      Array.from({ length: COPIES }, (_, nth) =>
        registerAgent(baseUrl(nth), { parentAgentId: svcId }, { account }),
      ),
    )
    const children = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value.svcId] : []))
    expect(children.length).to.equal(5)
    for (const agentId of children) {
      for (const nth of [0, 1]) expect((await verify({ agentId }, nth)).body.recommendation).to.equal('grant')
    }
    await two.rows('UPDATE agents SET is_held = true WHERE parent_agent_id = ?', svcId)
    for (const agentId of children) {
      for (const nth of [0, 1]) {
        await waitUntil(async () => {
          const { body } = await verify({ agentId }, nth)
          return body.agent.agentStatus === 'suspended' ? body : null
        })
      }
    }
  })

  it('both forget a credential that one of them revokes', async () => {
    const person = await createOrganisation(baseUrl(0))
    const account = privateKeyToAccount(generatePrivateKey())
    const { svcId } = await registerAgent(baseUrl(0), {}, { account })
    await two.rows('UPDATE agents SET owner_id = ? WHERE svc_id = ?', person.organizationId, svcId)
    const call = (nth: number, method: string, path: string, body?: object) =>
      api(baseUrl(nth), method, `/api/agents/${svcId}/credentials${path}`, {
        bearer: person.apiKey,
        ...(body ? { body } : {}),
      })
    const holder = createCredentialHolder()
    const { challenge, audience } = (await call(0, 'POST', '/challenge')).body
    const proof = holder.token({ aud: audience, nonce: challenge, iat: Math.floor(Date.now() / 1000) })
    const stored = await call(1, 'POST', '', { type: 'did', value: holder.did, challenge, proof })
    expect(stored.status, JSON.stringify(stored.body)).to.equal(201)
    const present = async (nth: number) =>
      (await verify({ credentials: [{ type: 'did', value: holder.did }] }, nth)).body.agent?.svcId
    for (const nth of [0, 1]) expect(await present(nth)).to.equal(svcId)
    expect((await call(0, 'DELETE', `/${stored.body.credential.id}`)).status).to.equal(200)
    expect(await present(0)).to.equal(undefined)
    await waitUntil(async () => ((await present(1)) === undefined ? true : null))
  })

  it('grant together what an owner approved in advance and no more, and both ask again once it is removed', async () => {
    const ada = await owner()
    const { body } = await verify(ada.newAttempt())
    const terms = { amount: 150 * 6, days: 1 }
    expect((await ada.approveInAdvance(body.stepUpApproval.approvalId, terms, 0)).status).to.equal(200)
    const answers = await sendAll(ada.newAttempt)
    expect(grantsIn(answers)).to.equal(5)
    const { rule, remove } = await ada.standingOf(1)
    expect([rule.amount, rule.used]).to.deep.equal(['900', '900'])
    await two.rows(`UPDATE standing_approvals SET used = '0' WHERE id = ?`, rule.ruleId)
    for (const nth of [0, 1])
      expect((await verify(ada.newAttempt(), nth)).body.recommendation).to.equal('grant')
    await remove()
    for (const nth of [0, 1])
      expect((await verify(ada.newAttempt(), nth)).body.recommendation).to.equal('step_up_required')
  })

  it('repeat no decision whose session or approval in advance was withdrawn in the other', async () => {
    for (const nth of [0, 1]) {
      const ada = await owner()
      const { body } = await verify(ada.newAttempt(), nth)
      await ada.approveInAdvance(body.stepUpApproval.approvalId, { amount: 900, days: 1 }, nth)
      const [attempt, headers] = [ada.newAttempt(), { 'idempotency-key': randomUUID() }]
      const ask = (at: number) => verify(attempt, at, headers)
      const first = await ask(nth)
      expect(first.body.recommendation).to.equal('grant')
      expect((await ask(nth + 1)).body).to.deep.equal(first.body)
      const path = `${VERIFY}/${first.body.sessionId}/end`
      const ended = await api(baseUrl(nth + 1), 'POST', path, { bearer: shop.apiKey, body: {} })
      expect(ended.status).to.equal(200)
      const second = await ask(nth)
      expect(second.body.recommendation).to.equal('grant')
      expect(second.body.sessionId).to.not.equal(first.body.sessionId)
      await (await ada.standingOf(nth + 1)).remove()
      expect((await ask(nth)).body.recommendation).to.equal('step_up_required')
    }
  })

  it(`let exactly one of ${COPIES} copies of an approved attempt pass`, async () => {
    const ada = await owner()
    for (let round = 0; round < 4; round += 1) {
      const request = ada.newAttempt()
      const { body } = await verify(request)
      expect(body.recommendation).to.equal('step_up_required')
      const approve = await ada.signApproval(body.stepUpApproval.approvalId, round)
      expect((await approve()).status).to.equal(200)
      expect(grantsIn(await sendAll(() => request))).to.equal(1)
    }
  })

  it('ask the owner once for copies that reach both', async () => {
    const ada = await owner()
    const request = ada.newAttempt()
    const answers = await sendAll(() => request)
    expect(new Set(answers.map(({ body }) => body.stepUpApproval.approvalId)).size).to.equal(1)
  })

  it('never grant a denied request when copies, approval and denial race', async () => {
    const ada = await owner()
    for (let round = 0; round < 6; round += 1) {
      const request = ada.newAttempt()
      const { approvalId } = (await verify(request)).body.stepUpApproval
      const approve = await ada.signApproval(approvalId, round)
      const [answers] = await Promise.all([
        sendAll(() => request, 16),
        approve(),
        ada.deny(approvalId, round),
      ])
      const [row] = await two.rows<{ status: string }>(
        'SELECT status FROM step_up_approvals WHERE id = ?',
        approvalId,
      )
      expect(grantsIn(answers)).to.equal(row?.status === 'consumed' ? 1 : 0)
      if (row?.status !== 'consumed') expect(grantsIn(await sendAll(() => request, 4))).to.equal(0)
    }
  })

  it(`grant ten of ${COPIES} concurrent requests against a cap of ten`, async () => {
    for (let round = 0; round < 4; round += 1) {
      const limits = { maxTransactionsPerHour: 10, approvalThreshold: 100, currency: 'USD' }
      const { svcId } = await registerAgent(baseUrl(round), { pdlss: { limits } })
      const answers = await sendAll(() => ({ agentId: svcId, transactionValue: 5, currency: 'USD' }))
      expect(answers.map(({ status }) => status)).to.deep.equal(answers.map(() => 200))
      expect(grantsIn(answers)).to.equal(10)
    }
  })

  it('reject a revoked key in both, and apply a changed boundary in both', async () => {
    const { svcId } = await registerAgent(baseUrl(0), {})
    const created = await api(baseUrl(0), 'POST', '/api/api-keys', {
      bearer: shop.accessToken,
      body: { name: 'short-lived', organizationId: shop.organizationId },
    })
    const call = (nth: number) =>
      api(baseUrl(nth), 'POST', VERIFY, {
        bearer: created.body.key,
        body: { agentId: svcId, counterpartyId: svceId },
      })
    expect([(await call(0)).body.recommendation, (await call(1)).body.recommendation]).to.deep.equal([
      'grant',
      'grant',
    ])
    await two.rows("UPDATE agents SET status = 'suspended' WHERE svc_id = ?", svcId)
    for (const nth of [0, 1]) {
      await waitUntil(async () => ((await call(nth)).body.recommendation === 'deny' ? true : null))
    }
    await api(baseUrl(0), 'DELETE', `/api/api-keys/${created.body.id}`, { bearer: shop.accessToken })
    expect((await call(0)).status).to.equal(401)
    await waitUntil(async () => ((await call(1)).status === 401 ? true : null))
  })

  it('seal every record once and prove it from either', async () => {
    const { svcId } = await registerAgent(baseUrl(0), {})
    const answers = await sendAll(() => ({ agentId: svcId }), 20)
    const recordId: string = answers.at(-1)?.body.auditRecordId
    for (const nth of [0, 1]) {
      const proof = await waitUntil(async () => {
        const answer = await api(baseUrl(nth), 'GET', `/api/audit/records/${recordId}/proof`)
        return answer.status === 200 ? answer.body : null
      })
      expect(checkProofDocument(proof)).to.deep.include({ ok: true })
    }
    const batches = await two.rows<{ number: number; prev: number; next: number; root: string }>(
      'SELECT number, prev_size AS prev, new_size AS next, root FROM audit_batches ORDER BY number',
    )
    const rows = await two.rows<{ entry: string }>('SELECT entry FROM audit_records ORDER BY seq')
    let peaks: Uint8Array[] = []
    for (const [at, { number, prev, next, root }] of batches.entries()) {
      expect([number, prev]).to.deep.equal([at + 1, batches[at - 1]?.next ?? 0])
      const leaves = rows.slice(prev, next).map(({ entry }) => hashLeaf(entry))
      peaks = appendLeaves(peaks, prev, leaves).peaks
      expect(encodeHex(rootOfPeaks(peaks)), `root of batch ${number}`).to.equal(root)
    }
  })

  it('both show the complete log without a gap', async () => {
    const rows = await two.rows<{ seq: number; entry: string }>(
      'SELECT seq, entry FROM audit_records ORDER BY seq',
    )
    expect(rows.map(({ seq }) => seq)).to.deep.equal(rows.map((_, at) => at))
    expect(new Set(rows.map(({ entry }) => JSON.parse(entry).recordId)).size).to.equal(rows.length)
  })

  it('lose no returned decision when one of them is killed, while the other continues', async () => {
    const { svcId } = await registerAgent(baseUrl(0), {})
    const answered: string[] = []
    let killed = false
    const client = async (nth: number) => {
      for (let sent = 0; sent < 60; sent += 1) {
        const answer = await verify({ agentId: svcId }, nth).catch(() => null)
        if (answer === null) return
        expect(answer.status).to.equal(200)
        answered.push(answer.body.auditRecordId)
        if (answered.length > 200 && !killed) {
          killed = true
          two.services[0]?.process.kill('SIGKILL')
        }
      }
    }
    await Promise.all(Array.from({ length: 16 }, (_, nth) => client(nth)))
    expect(killed).to.equal(true)
    const rows = await two.rows<{ id: string }>('SELECT record_id AS id FROM audit_records')
    const stored = new Set(rows.map(({ id }) => id))
    expect(stored.size).to.equal(rows.length)
    expect(answered.filter((id) => !stored.has(id))).to.deep.equal([])
    expect((await verify({ agentId: svcId }, 1)).body.recommendation).to.equal('grant')
    await two.restart(0)
    expect((await verify({ agentId: svcId }, 0)).body.recommendation).to.equal('grant')
  })
})
