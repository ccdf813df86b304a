import { type AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import { canonicaliseJson } from '@svc/core/canonicaliseJson.ts'
import { buildAgentCard } from '@svc/core/card/buildAgentCard.ts'
import { writeA2aLibraryText } from '@svc/core/card/writeA2aLibraryText.ts'
import { writeA2aSpecText } from '@svc/core/card/writeA2aSpecText.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const text = fc.oneof(fc.constant(''), fc.string({ unit: 'grapheme', maxLength: 12 }))
const anything = fc.jsonValue({ maxDepth: 2 })
const texts = fc.array(text, { maxLength: 3 })

/** A skill, provider or scheme as callers write it: known members of any type, and unknown ones. */
const loose = (known: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .tuple(fc.record(known, { requiredKeys: [] }), fc.dictionary(fc.constantFrom('x', 'extra'), anything))
    .map(([members, rest]) => ({ ...rest, ...members }))

const skill = loose({
  id: text,
  name: text,
  description: text,
  tags: texts,
  examples: texts,
  inputModes: texts,
})
const schemeMembers = { description: text, name: text, location: text, scheme: text, in: text, type: text }
const url = fc.constantFrom('', 'https://id.io')
const flow = fc.record(
  {
    authorizationUrl: url,
    tokenUrl: url,
    deviceAuthorizationUrl: url,
    refreshUrl: url,
    pkceRequired: fc.boolean(),
    scopes: fc.constantFrom({}, { read: 'Read' }, { read: '', write: 7 }),
  },
  { requiredKeys: [] },
)
const flows = fc.dictionary(
  fc.constantFrom('authorizationCode', 'clientCredentials', 'deviceCode', 'implicit', 'password'),
  flow,
  { maxKeys: 2 },
)
const scheme = fc.oneof(
  loose({
    ...schemeMembers,
    flows,
    type: fc.constantFrom('apiKey', 'http', 'openIdConnect', 'mutualTLS', 'oauth2'),
  }),
  loose(schemeMembers).map((apiKeySecurityScheme) => ({ apiKeySecurityScheme })),
  loose(schemeMembers).map((httpAuthSecurityScheme) => ({ httpAuthSecurityScheme })),
  loose({ ...schemeMembers, flows }).map((oauth2SecurityScheme) => ({ oauth2SecurityScheme })),
  anything,
)
const a2a = loose({
  agentUrl: text,
  version: text,
  transport: fc.constantFrom('JSONRPC', 'GRPC', 'HTTP+JSON'),
  provider: fc.oneof(loose({ organization: text, url: text }), anything),
  skills: fc.array(skill, { maxLength: 3 }),
  securitySchemes: fc.dictionary(fc.constantFrom('key', 'web', 'open', ''), scheme),
})

const cards = fc
  .record({
    name: text,
    description: fc.option(text),
    image: fc.option(text),
    a2a,
    declared: texts,
    hash: text,
  })
  .map(({ a2a, declared, hash, ...facts }) =>
    buildAgentCard({
      ...facts,
      svcId: 'SVC-0000000000000000000001',
      protocols: { a2a },
      runtimeChallengeSupported: false,
      verificationEndpoint: 'https://registry.io/api/agents/verify-access',
      jwksUrl: 'https://registry.io/.well-known/agents/SVC-1/jwks.json',
      onChainIdentity: null,
      pdlss: { declared, hash },
    }),
  )

describe('writeA2aLibraryText', () => {
  it('writes what the A2A library signs, for any declaration', () => {
    fc.assert(
      fc.property(cards, (card) => {
        const asServed = JSON.parse(JSON.stringify(card)) as AgentCard
        expect(writeA2aLibraryText(card)).to.equal(canonicalizeAgentCard(asServed))
      }),
      { numRuns: 500 },
    )
  })
})

/**
 * Members by name; their rule is that of a scalar, list or map, or the message that they contain. `!` marks a required one,
 * `?` one whose presence counts, `[]` a list and `{}` a map of messages.
 */
interface Message {
  readonly [member: string]: string | Message
}

const FLOW = { tokenUrl: '!', refreshUrl: '', scopes: '!' }
const SCHEME: Message = {
  apiKeySecurityScheme: { description: '', location: '!', name: '!' },
  httpAuthSecurityScheme: { description: '', scheme: '!', bearerFormat: '' },
  oauth2SecurityScheme: {
    description: '',
    oauth2MetadataUrl: '',
    '!flows': {
      authorizationCode: { ...FLOW, authorizationUrl: '!', pkceRequired: '' },
      clientCredentials: FLOW,
      deviceCode: { ...FLOW, deviceAuthorizationUrl: '!' },
      implicit: { authorizationUrl: '', refreshUrl: '', scopes: '' },
      password: { tokenUrl: '', refreshUrl: '', scopes: '' },
    },
  },
  openIdConnectSecurityScheme: { description: '', openIdConnectUrl: '!' },
  mtlsSecurityScheme: { description: '' },
}

/** The messages of A2A's Protocol Buffers definition, as far as a card uses them. Source: A2A 1.0, a2a.proto. */
const CARD: Message = {
  name: '!',
  description: '!',
  version: '!',
  iconUrl: '?',
  provider: { url: '!', organization: '!' },
  '!supportedInterfaces[]': { url: '!', protocolBinding: '!', tenant: '', protocolVersion: '!' },
  '!capabilities': {
    streaming: '?',
    'extensions[]': { uri: '', description: '', required: '', params: '?' },
  },
  'securitySchemes{}': SCHEME,
  defaultInputModes: '!',
  defaultOutputModes: '!',
  '!skills[]': {
    id: '!',
    name: '!',
    description: '!',
    tags: '!',
    examples: '',
    inputModes: '',
    outputModes: '',
  },
}

const isEmpty = (value: unknown) =>
  value === '' || value === false || (typeof value === 'object' && Object.keys(Object(value)).length === 0)

/** Applies A2A 1.0 §8.4.1 rule 1 to a card; throws if a required member is missing. */
function strip(value: Record<string, unknown>, message: Message): Record<string, unknown> {
  const kept = Object.entries(message).flatMap(([key, rule]) => {
    const name = key.replace(/\W/g, '')
    const isRequired = key.startsWith('!') || rule === '!'
    const member = value[name]
    if (member === undefined && isRequired) throw new Error(`${name} is missing`)
    if (member === undefined) return []
    const stripped = typeof rule === 'string' ? member : stripMessages(member, key, rule)
    const isMessage = typeof rule !== 'string' && /\w$/.test(key)
    return isRequired || isMessage || rule === '?' || !isEmpty(stripped) ? [[name, stripped] as const] : []
  })
  return Object.fromEntries(kept)
}

function stripMessages(member: unknown, key: string, rule: Message): unknown {
  const stripOne = (one: unknown) => strip(Object(one), rule)
  if (key.endsWith('[]')) return (member as unknown[]).map(stripOne)
  if (!key.endsWith('{}')) return stripOne(member)
  return Object.fromEntries(Object.entries(Object(member)).map(([name, one]) => [name, stripOne(one)]))
}

describe('writeA2aSpecText', () => {
  it('covers what A2A 1.0 §8.4.1 keeps of the card as served, for any declaration', () => {
    fc.assert(
      fc.property(cards, (card) => {
        const asServed = JSON.parse(JSON.stringify(card)) as Record<string, unknown>
        expect(writeA2aSpecText(card)).to.equal(canonicaliseJson(strip(asServed, CARD)))
      }),
      { numRuns: 500 },
    )
  })

  it('keeps empty required members, unlike the libraries', () => {
    const card = buildAgentCard({
      svcId: 'SVC-0000000000000000000001',
      name: 'Buyer',
      description: null,
      image: null,
      protocols: {},
      runtimeChallengeSupported: false,
      verificationEndpoint: 'https://registry.io/api/agents/verify-access',
      jwksUrl: 'https://registry.io/.well-known/agents/SVC-1/jwks.json',
      onChainIdentity: null,
      pdlss: { declared: [], hash: '0x00' },
    })
    const signed = JSON.parse(writeA2aSpecText(card))
    expect(signed).to.deep.include({ description: '', skills: [], supportedInterfaces: [] })
    expect(signed).not.to.have.any.keys('provider', 'securitySchemes', 'iconUrl', 'svcId')
    expect(JSON.parse(writeA2aLibraryText(card))).not.to.have.any.keys('description', 'skills')
  })
})
