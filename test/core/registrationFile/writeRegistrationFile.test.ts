import {
  type RegistrationFileFacts,
  writeRegistrationFile,
} from '@svc/core/registrationFile/writeRegistrationFile.ts'
import { expect } from 'chai'
import fc from 'fast-check'

const FACTS: RegistrationFileFacts = {
  svcId: 'SVC-0123456789abcdefghijkl',
  name: 'Shopping "agent" é 🤖',
  description: 'Buys\nthings',
  image: 'https://acme.io/agent.png',
  services: [
    { name: 'web', endpoint: 'https://acme.io' },
    { name: 'A2A', endpoint: 'https://acme.io/card.json', version: '1.0' },
  ],
  x402Support: true,
  active: true,
  registrations: [{ agentId: 1, agentRegistry: `eip155:31337:0x${'1f'.repeat(20)}` }],
}

describe('registrationFile', () => {
  it('writes these bytes', () => {
    expect(writeRegistrationFile(FACTS)).to.equal(`{
  "type": "https://eips.ethereum.org/EIPS/eip-8004#registration-v1",
  "name": "Shopping \\"agent\\" é 🤖",
  "description": "Buys\\nthings",
  "image": "https://acme.io/agent.png",
  "services": [
    {
      "name": "web",
      "endpoint": "https://acme.io"
    },
    {
      "name": "A2A",
      "endpoint": "https://acme.io/card.json",
      "version": "1.0"
    }
  ],
  "x402Support": true,
  "active": true,
  "registrations": [
    {
      "agentId": 1,
      "agentRegistry": "eip155:31337:0x1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f1f"
    }
  ],
  "supportedTrust": [
    "reputation",
    "svc-pdlss"
  ],
  "svcId": "SVC-0123456789abcdefghijkl"
}
`)
  })

  it('writes an empty description and no image if they are missing, and no registrations before the mint', () => {
    const text = writeRegistrationFile({
      ...FACTS,
      description: null,
      image: null,
      services: [],
      registrations: [],
    })
    expect(JSON.parse(text)).to.deep.equal({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      name: FACTS.name,
      description: '',
      services: [],
      x402Support: true,
      active: true,
      registrations: [],
      supportedTrust: ['svc-pdlss'],
      svcId: FACTS.svcId,
    })
  })

  it('writes the same bytes for the same facts, regardless of their order and of additional members', () => {
    const shuffle = <T extends object>(value: T): T =>
      JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(value).reverse())))
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.webUrl(),
        fc.maxSafeNat(),
        (name, endpoint, agentId) => {
          const service = { name: 'web', endpoint, version: null }
          const registration = { agentId, agentRegistry: 'eip155:1:0x00' }
          const facts = { ...FACTS, name, services: [service], registrations: [registration] }
          const other = {
            ...shuffle(facts),
            services: [{ ...shuffle(service), id: 7 }],
            registrations: [shuffle(registration)],
            pdlss: {},
          }
          expect(writeRegistrationFile(other)).to.equal(writeRegistrationFile(facts))
        },
      ),
    )
  })
})
