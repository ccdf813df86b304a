import { parseRegistrationFile } from '@svc/core/registrationFile/parseRegistrationFile.ts'
import { expect } from 'chai'

const REGISTRY = 'eip155:8453:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432'
const TOKEN = { agentRegistry: REGISTRY, agentId: 22 }

const file = (changes: object = {}) =>
  JSON.stringify({
    type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
    name: 'Courier',
    description: 'Delivers parcels',
    image: 'https://courier.example/icon.png',
    services: [{ name: 'A2A', endpoint: 'https://courier.example/card.json', version: '0.3.0' }],
    active: false,
    registrations: [
      { agentId: 3, agentRegistry: 'eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432' },
      { agentId: 22, agentRegistry: 'eip155:8453:0x8004A169FB4a3325136EB29fA0ceB6D2e539a432' },
    ],
    ...changes,
  })

describe('parseRegistrationFile', () => {
  it('reads what the file of a token says, whose registration may be one of several', () => {
    expect(parseRegistrationFile(file(), TOKEN)).to.deep.equal({
      ok: true,
      file: {
        name: 'Courier',
        description: 'Delivers parcels',
        image: 'https://courier.example/icon.png',
        services: [{ name: 'A2A', endpoint: 'https://courier.example/card.json' }],
        active: false,
      },
    })
  })

  it('accepts members of no use here in any form', () => {
    const odd = { description: 7, image: 'not a URL', services: 'none', active: 'yes', more: [1] }
    expect(parseRegistrationFile(file(odd), TOKEN)).to.deep.equal({
      ok: true,
      file: { name: 'Courier', description: null, image: null, services: [], active: true },
    })
  })

  it('cuts a long description between two characters, and keeps twenty services', () => {
    const service = { name: 'A2A', endpoint: 'https://courier.example/card.json' }
    const long = {
      description: `${'a'.repeat(1_999)}😀😀`,
      services: Array.from({ length: 30 }, () => service),
    }
    const parsed = parseRegistrationFile(file(long), TOKEN)
    if (!parsed.ok) throw new Error(parsed.fault)
    expect(parsed.file.description).to.equal('a'.repeat(1_999))
    expect(parsed.file.services).to.have.length(20)
  })

  it('refuses texts that cannot be stored', () => {
    for (const text of ['a\u0000b', 'a\ud83d']) {
      for (const odd of [
        { name: text },
        { description: text },
        { services: [{ name: text, endpoint: 'a' }] },
      ]) {
        const parsed = parseRegistrationFile(file(odd), TOKEN)
        expect(parsed, JSON.stringify(odd)).to.deep.equal({ ok: false, fault: 'file_malformed' })
      }
    }
  })

  it('refuses a file that does not name the token', () => {
    for (const registrations of [
      undefined,
      [],
      [{ agentId: 21, agentRegistry: REGISTRY }],
      [{ agentId: 22, agentRegistry: REGISTRY.replace('8453', '1') }],
      [{ agentId: 22, agentRegistry: REGISTRY.replace('a432', 'a433') }],
    ]) {
      const parsed = parseRegistrationFile(file({ registrations }), TOKEN)
      expect(parsed).to.deep.equal({ ok: false, fault: 'file_not_bound' })
    }
  })

  it('refuses what is no registration file, or has a name that could be taken for another one', () => {
    for (const text of [
      '',
      '[]',
      '{}',
      file({ type: 'https://eips.ethereum.org/EIPS/eip-721' }),
      file({ name: '' }),
      file({ name: 'Cou\u200brier' }),
      file({ registrations: 'all' }),
    ]) {
      expect(parseRegistrationFile(text, TOKEN)).to.deep.equal({ ok: false, fault: 'file_malformed' })
    }
  })
})
