import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { expect } from 'chai'
import { createAgentKey } from '../builders/createAgentKey.ts'
import { createOrganisation, registerAgent, registerEndpoint } from '../builders/participants.ts'
import { type ReportedRequest, signAsAgent, signIntent } from '../builders/signAsAgent.ts'
import { storeAgentKey } from '../builders/storeAgentKey.ts'
import { faultMode } from '../harness/faults/faultMode.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { api } from '../harness/service/api.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'

const CASES = { none: 400, short: 2_000, full: 10_000 }[faultMode]
const BATCH = 20
const HOST = 'shop.acme.io'

type Fields = Record<string, unknown>

describe('a caller that names an agent and is not it', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  const [key, thiefs] = [createAgentKey(), createAgentKey()]
  let service: StartedService
  let apiKey: string
  let victim: string
  let thief: string
  let svceId: string

  before(async () => {
    service = await startService({ settings: { VERIFY_RATE_PER_MINUTE: '100000000' } })
    apiKey = (await createOrganisation(service.baseUrl)).apiKey
    victim = (await registerAgent(service.baseUrl)).svcId
    thief = (await registerAgent(service.baseUrl)).svcId
    await storeAgentKey(service, victim, key)
    await storeAgentKey(service, thief, thiefs)
    const asking = { counterpartyUrl: `https://${HOST}`, minIdentityProof: 'signature' }
    svceId = await registerEndpoint(service.baseUrl, apiKey, asking)
  })
  after(() => service?.stop())

  const seconds = () => Math.floor(Date.now() / 1000)
  const verify = async (fields: Fields) => {
    const body = { agentId: victim, counterpartyId: svceId, resource: '/orders/7', ...fields }
    return (await api(service.baseUrl, 'POST', '/api/agents/verify-access', { bearer: apiKey, body })).body
  }
  const isGranted = async (fields: Fields) => (await verify(fields)).recommendation === 'grant'
  const sign = (varied: Partial<Parameters<typeof signAsAgent>[1]> = {}, by = key): ReportedRequest =>
    signAsAgent(by, {
      ...{ svcId: victim, url: `https://${HOST}/orders/7`, method: 'POST', body: '{"sku":7}' },
      ...{ created: seconds(), ...varied },
    })
  const intend = (varied: object = {}, by = key, header: object = {}) =>
    signIntent(
      by,
      {
        ...{ iss: victim, aud: svceId, iat: seconds(), exp: seconds() + 60, jti: randomUUID() },
        ...{ amount: 5, resource: '/orders/7', ...varied },
      },
      header as Record<string, unknown>,
    )
  const paying = { transactionValue: 5 }
  const digestOf = (body: string) => writeContentDigest(createHash('sha256').update(body).digest())
  const pick = (of: number) => (randomBytes(2).readUInt16BE() % of) as number

  /** Changes one character of the base64 of a signature so that its bytes differ. */
  const alter = (text: string) => {
    const at = 6 + pick(60)
    return `${text.slice(0, at)}${text[at] === 'A' ? 'B' : 'A'}${text.slice(at + 1)}`
  }
  /** Removes one covered component from what the signature claims to cover. */
  const cut = (input: string) => {
    const [components = ''] = /\(.*\)/.exec(input) ?? []
    const names = components.slice(1, -1).split(' ')
    const left = names.toSpliced(pick(names.length), 1)
    return input.replace(components, `(${left.join(' ')})`)
  }

  /** Each way of abusing what a thief can see or make; all of them differ in every call. */
  const attacks: Readonly<Record<string, () => Promise<Fields> | Fields>> = {
    async 'the signature of a request that was granted before'() {
      const callerMetadata = sign()
      expect(await isGranted({ callerMetadata })).to.equal(true)
      return { callerMetadata }
    },
    async 'an intent proof that was granted before'() {
      const intentProof = intend()
      expect(await isGranted({ intentProof, ...paying })).to.equal(true)
      return { intentProof, ...paying }
    },
    'another method': () => ({ callerMetadata: { ...sign(), method: 'DELETE' } }),
    'another path': () => ({
      callerMetadata: { ...sign(), targetUri: `https://${HOST}/orders/${8 + pick(90)}` },
    }),
    'another host': () => ({ callerMetadata: sign({ url: `https://shop${pick(90)}.acme.io/orders/7` }) }),
    'another body': () => ({
      callerMetadata: { ...sign(), contentDigest: digestOf(`{"sku":${8 + pick(90)}}`) },
    }),
    'another agent': () => ({ callerMetadata: sign({ svcId: thief }) }),
    'an altered signature': () => {
      const signed = sign()
      return { callerMetadata: { ...signed, signature: alter(signed.signature) } }
    },
    'fewer covered components': () => {
      const signed = sign()
      return { callerMetadata: { ...signed, signatureInput: cut(signed.signatureInput) } }
    },
    'a signature that does not cover the agent': () => ({
      callerMetadata: sign({ components: ['@method', '@authority', '@path', 'content-digest'] }),
    }),
    'a longer life': () => {
      const signed = sign({ created: seconds() - 90 })
      const later = signed.signatureInput.replace(/expires=\d+/, `expires=${seconds() + 60}`)
      return { callerMetadata: { ...signed, signatureInput: later } }
    },
    'a signature that has expired': () => ({ callerMetadata: sign({ created: seconds() - 61 - pick(900) }) }),
    'a signature from the future': () => ({ callerMetadata: sign({ created: seconds() + 62 + pick(900) }) }),
    'a key of the thief': () => ({ callerMetadata: sign({}, thiefs) }),
    'a key of the thief under the name of the victim’s': () => ({
      callerMetadata: sign({ keyid: key.kid }, thiefs),
    }),
    'a key that nobody has registered': () => ({ callerMetadata: sign({}, createAgentKey()) }),
    'no signature': () => ({}),
    'an intent for another endpoint': () => ({
      ...paying,
      intentProof: intend({ aud: 'https://other.acme.io' }),
    }),
    'an intent of another agent': () => ({ ...paying, intentProof: intend({ iss: thief }, thiefs) }),
    'an intent by a key of the thief': () => ({ ...paying, intentProof: intend({}, thiefs) }),
    'an intent by the thief under the name of the victim’s key': () => ({
      ...{ ...paying, intentProof: intend({}, thiefs, { kid: key.kid }) },
    }),
    'an intent for less': () => ({ transactionValue: 6 + pick(90), intentProof: intend() }),
    'an intent for another resource': () => ({ ...paying, resource: '/admin', intentProof: intend() }),
    'an intent that has expired': () => {
      const iat = seconds() - 61 - pick(900)
      return { ...paying, intentProof: intend({ iat, exp: iat + 60 }) }
    },
    'an intent without an algorithm': () => ({ ...paying, intentProof: intend({}, key, { alg: 'none' }) }),
    'an intent with other claims': () => {
      const [head, , signature] = intend().split('.')
      const [, payload] = intend({ amount: 5 }).split('.')
      return { ...paying, intentProof: `${head}.${payload}.${signature}` }
    },
  }

  it('is granted nothing at an endpoint that requires a signature', async () => {
    const names = Object.keys(attacks)
    const granted: string[] = []
    const undecided: string[] = []
    const attempt = async (nth: number) => {
      const name = names[nth % names.length] ?? ''
      const { recommendation } = await verify((await attacks[name]?.()) ?? {})
      if (recommendation === 'grant') granted.push(name)
      if (recommendation !== 'grant' && recommendation !== 'deny') undecided.push(name)
    }
    for (let at = 0; at < CASES; at += BATCH) {
      await Promise.all(Array.from({ length: BATCH }, (_, index) => attempt(at + index)))
    }
    expect(granted).to.deep.equal([])
    expect(undecided).to.deep.equal([])
    expect(await isGranted({ callerMetadata: sign() })).to.equal(true)
    expect(await isGranted({ ...paying, intentProof: intend() })).to.equal(true)
    reportFaultFigure(
      `${CASES} proofs, stolen, replayed, cut, bound to something else, expired or of the future, in ${names.length} ways: 0 granted`,
    )
  })
})
