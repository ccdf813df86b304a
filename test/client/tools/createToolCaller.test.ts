import { createAgentClient, generateAgentKey } from '@svc/client'
import { createToolCaller, RefusedError, type ToolCall } from '@svc/client/mcp'
import { expect } from 'chai'

const AGENT = `SVC-${'A'.repeat(22)}`
const SHOP = `SVCE-${'B'.repeat(22)}`
const ATTEMPT = '0198c0de-0000-7000-8000-000000000001'
const HELD = {
  ...{ success: false, code: 'step_up_required', message: 'Held.' },
  stepUpApproval: { attemptId: ATTEMPT, approvalUrl: 'https://registry.test/activity/pending/1' },
}
const DENIED = { success: false, code: 'access_denied', message: 'Denied.' }
const ORDER = { name: 'order', arguments: { sku: 'tea' } }
const SOLD = { content: [{ type: 'text', text: 'sold' }] }

type Sent = ToolCall & { _meta: Record<string, string> }

/** The result of a tool behind `svc-gate`. */
const fromGate = (refusal: object) => ({
  ...{ isError: true, content: [{ type: 'text', text: 'Refused' }] },
  _meta: { 'X-Svc-Refusal': refusal },
})
/** The result of a tool whose server calls our gateway. */
const fromServer = (refusal: object) => ({
  ...{ isError: true, content: [{ type: 'text', text: JSON.stringify(refusal) }] },
})

describe('createToolCaller', () => {
  const agent = createAgentClient({ apiBaseUrl: 'https://registry.test/api', svcId: AGENT })

  /** A client whose calls have these outcomes; the last one is repeated. */
  function clientOf(...outcomes: (object | Error)[]) {
    const sent: Sent[] = []
    const callTool = async (call: Sent): Promise<object> => {
      const outcome = outcomes[Math.min(sent.length, outcomes.length - 1)]
      sent.push(call)
      if (outcome instanceof Error) throw outcome
      return outcome ?? {}
    }
    return { callTool, attempts: () => sent.map(({ _meta }) => _meta['X-Svc-Attempt-Id']), sent }
  }

  for (const [origin, refuse] of Object.entries({ 'svc-gate': fromGate, 'a server': fromServer })) {
    it(`repeats a call that ${origin} holds, as the same attempt, until the owner has decided`, async () => {
      const client = clientOf(refuse(HELD), refuse(HELD), SOLD)
      const pauses: number[] = []
      const wait = async (ms: number) => void pauses.push(ms)
      const callTool = createToolCaller(agent, client, { purpose: 'shopping:buy', waitMs: 60_000, wait })
      expect(await callTool(ORDER)).to.equal(SOLD)
      expect(client.attempts()).to.deep.equal([undefined, ATTEMPT, ATTEMPT])
      expect(pauses).to.deep.equal([5_000, 5_000])
    })
  }

  it('is not created with a time that would never be up', () => {
    const create = () => createToolCaller(agent, clientOf(fromServer(HELD)), { waitMs: Number.NaN })
    expect(create).to.throw('waitMs must be a number')
  })

  it('continues the attempt of an equal call later', async () => {
    const client = clientOf(fromServer(HELD))
    const callTool = createToolCaller(agent, client)
    const held = await callTool(ORDER)
    expect(JSON.stringify(held)).to.include('can approve it at https://registry.test/activity/pending/1.')
    await callTool({ ...ORDER, arguments: { sku: 'coffee' } })
    await callTool(ORDER)
    expect(client.attempts()).to.deep.equal([undefined, undefined, ATTEMPT])
  })

  it('tells why a call was refused, also by a gateway in front of the server', async () => {
    const text = 'Refused (access_denied): Denied.'
    const refused = new RefusedError({ code: 'access_denied', text, body: DENIED })
    for (const outcome of [fromGate(DENIED), fromServer(DENIED), refused]) {
      const told = await createToolCaller(agent, clientOf(outcome))(ORDER)
      expect(told).to.deep.equal({ content: [{ type: 'text', text }], isError: true })
    }
  })

  it('passes on the other failures of tools and clients', async () => {
    const failed = { isError: true, content: [{ type: 'text', text: 'no such article' }] }
    expect(await createToolCaller(agent, clientOf(failed))(ORDER)).to.equal(failed)
    const lost = await createToolCaller(agent, clientOf(new Error('lost')))(ORDER).catch(String)
    expect(lost).to.equal('Error: lost')
  })

  it('stops waiting when it is aborted', async () => {
    const aborting = new AbortController()
    const wait = async () => aborting.abort(new Error('enough'))
    const client = clientOf(fromServer(HELD))
    const callTool = createToolCaller(agent, client, { waitMs: 60_000, wait })
    const outcome = await callTool(ORDER, { signal: aborting.signal }).catch(String)
    expect([outcome, client.sent.length]).to.deep.equal(['Error: enough', 1])
  })

  it('adds a new intent proof to each call, which needs a key', async () => {
    const options = { intent: { audience: SHOP, amount: '12', currency: 'EUR' } }
    const failed = await createToolCaller(agent, clientOf(SOLD))(ORDER, options).catch(String)
    expect(failed).to.include('needs a key')
    const proving = createAgentClient({
      ...{ apiBaseUrl: 'https://registry.test/api', svcId: AGENT, key: await generateAgentKey() },
    })
    const client = clientOf(SOLD)
    const callTool = createToolCaller(proving, client, { purpose: 'shopping:buy' })
    await callTool(ORDER, options)
    await callTool(ORDER, options)
    const proofs = client.sent.map(({ _meta }) => _meta['X-Svc-Proof'] ?? '')
    expect(new Set(proofs).size).to.equal(2)
    const claims = JSON.parse(Buffer.from(proofs[0]?.split('.')[1] ?? '', 'base64url').toString())
    expect(claims).to.include({ iss: AGENT, aud: SHOP, purpose: 'shopping:buy', amount: '12' })
  })
})
