import { type AgentCard, canonicalizeAgentCard } from '@a2a-js/sdk'
import { buildAgentCard } from '@svc/core/card/buildAgentCard.ts'
import { writeA2aSigningText } from '@svc/core/card/writeA2aSigningText.ts'
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
const scheme = fc.oneof(
  loose({
    ...schemeMembers,
    type: fc.constantFrom('apiKey', 'http', 'openIdConnect', 'mutualTLS', 'oauth2'),
  }),
  loose(schemeMembers).map((apiKeySecurityScheme) => ({ apiKeySecurityScheme })),
  loose(schemeMembers).map((httpAuthSecurityScheme) => ({ httpAuthSecurityScheme })),
  loose(schemeMembers).map((oauth2SecurityScheme) => ({ oauth2SecurityScheme })),
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
      onChainIdentity: null,
      pdlss: { declared, hash },
    }),
  )

describe('writeA2aSigningText', () => {
  it('writes what the A2A library signs, for any declaration', () => {
    fc.assert(
      fc.property(cards, (card) => {
        const asServed = JSON.parse(JSON.stringify(card)) as AgentCard
        expect(writeA2aSigningText(card)).to.equal(canonicalizeAgentCard(asServed))
      }),
      { numRuns: 500 },
    )
  })
})
