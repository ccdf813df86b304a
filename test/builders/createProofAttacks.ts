import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { writeContentDigest } from '@svc/core/signing/contentDigest.ts'
import { createAgentKey } from './createAgentKey.ts'
import { type ReportedRequest, signAsAgent, signIntent } from './signAsAgent.ts'

type Fields = Record<string, unknown>

type AttackScene = {
  key: ReturnType<typeof createAgentKey>
  thiefs: ReturnType<typeof createAgentKey>
  victim: string
  thief: string
  svceId: string
  /** Of an order at the endpoint, whose host starts with `shop`. */
  url: string
  /** Unix seconds. */
  seconds: () => number
  /** Presents fields that are valid, so that nobody can present them again. */
  useUp: (fields: Fields) => Promise<void>
}

const paying = { transactionValue: 5 }

/**
 * Creates each way of abusing what a thief can see or make, as fields of verify-access by name, which differ at every call.
 * `sign` and `intend` make what is valid.
 */
export function createProofAttacks({ key, thiefs, victim, thief, svceId, url, seconds, useUp }: AttackScene) {
  const sign = (varied: Partial<Parameters<typeof signAsAgent>[1]> = {}, by = key): ReportedRequest =>
    signAsAgent(by, {
      ...{ svcId: victim, url: url, method: 'POST', body: '{"sku":7}' },
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

  const attacks: Readonly<Record<string, () => Promise<Fields> | Fields>> = {
    async 'the signature of a request that was granted before'() {
      const fields = { callerMetadata: sign() }
      await useUp(fields)
      return fields
    },
    async 'one of two signatures of a request that was granted before'() {
      const [one, other] = [sign(), sign()]
      const join = (name: 'signature' | 'signatureInput') => `${one[name]}, b${other[name].slice(3)}`
      const twice = { signature: join('signature'), signatureInput: join('signatureInput') }
      await useUp({ callerMetadata: { ...one, ...twice } })
      return { callerMetadata: pick(2) === 0 ? one : other }
    },
    'half of a signature': () => {
      const { signature, signatureInput, ...reported } = sign()
      return { callerMetadata: { ...reported, ...(pick(2) === 0 ? { signature } : { signatureInput }) } }
    },
    'a signature without its tag': () => {
      const signed = sign()
      const untagged = signed.signatureInput.replace(/;tag="[^"]*"/, '')
      return { callerMetadata: { ...signed, signatureInput: untagged } }
    },
    async 'an intent proof that was granted before'() {
      const fields = { intentProof: intend(), ...paying }
      await useUp(fields)
      return fields
    },
    'another method': () => ({ callerMetadata: { ...sign(), method: 'DELETE' } }),
    'another path': () => ({
      callerMetadata: { ...sign(), targetUri: url.replace('/7', `/${8 + pick(90)}`) },
    }),
    'another host': () => ({ callerMetadata: sign({ url: url.replace('shop', `shop${pick(90)}`) }) }),
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
  return { attacks, sign, intend, paying }
}
