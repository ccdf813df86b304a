import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registerAgent,
  registeredAgent,
} from './openRegistry.ts'

describe('a declared MCP server, and declared names', () => {
  let registry: Registry
  let owner: Person
  const signer = newSigner()
  const MCP = { endpoint: 'https://agent.shop-host.io/mcp', version: '2025-11-25' }

  before(async () => {
    registry = await openRegistry()
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
  })
  after(() => registry.close())

  const servicesOf = async (svcId: string) =>
    JSON.parse(await readFile(join(registry.registrationFilesDir, `${svcId}.json`), 'utf8')).services
  const read = async (svcId: string, bearer?: string) =>
    (await registry.call('GET', `/api/agents/${svcId}`, bearer === undefined ? {} : { bearer })).body.agent
  const patch = (svcId: string, body: object) =>
    registry.call('PATCH', `/api/agents/${svcId}`, { body, bearer: owner.personalKey })

  it('is a service of the registration file, and a block for the owner and on the card, but no protocol', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    expect(await servicesOf(svcId)).to.deep.equal([{ name: 'MCP', ...MCP }])
    const agent = await read(svcId, owner.personalKey)
    expect([agent.mcp, agent.protocols]).to.deep.equal([MCP, []])
    expect(await read(svcId)).to.not.have.property('mcp')
    const card = (await registry.call('GET', `/api/agents/${svcId}/card`)).body
    expect(card.protocols).to.deep.equal({ mcp: MCP })
  })

  it('does not affect the boundary', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    expect((await read(svcId, owner.personalKey)).pdlss).to.deep.equal({})
  })

  it('can be changed and removed; a change of the protocols does not touch it', async () => {
    const svcId = await registeredAgent(registry, signer, {
      name: 'Server',
      mcp: MCP,
      x402: { walletAddress: '0x01' },
    })
    const before = (await read(svcId, owner.personalKey)).registrationFileHash
    expect((await patch(svcId, { protocols: null })).body.agent).to.deep.include({ protocols: [], mcp: MCP })
    expect((await patch(svcId, { mcp: { version: null } })).status).to.equal(200)
    expect(await servicesOf(svcId)).to.deep.equal([{ name: 'MCP', endpoint: MCP.endpoint }])
    expect((await read(svcId, owner.personalKey)).registrationFileHash).to.not.equal(before)
    expect((await patch(svcId, { mcp: null })).body.agent).to.not.have.property('mcp')
    expect(await servicesOf(svcId)).to.deep.equal([])
  })

  it('is rejected without an endpoint, and with one that is no URL', async () => {
    for (const mcp of [{}, { endpoint: 'stdio' }, { endpoint: 'ftp://a.io' }, { ...MCP, version: 1 }, 'x']) {
      const answer = await registerAgent(registry, signer, { name: 'Server', mcp })
      expect([answer.status, answer.body.code], JSON.stringify(mcp)).to.deep.equal([400, 'VALIDATION_ERROR'])
      expect(answer.body.errors[0].pointer).to.match(/^\/mcp/)
    }
    const svcId = await registeredAgent(registry, signer, { name: 'Server', mcp: MCP })
    const refused = await patch(svcId, { mcp: { endpoint: null } })
    expect([refused.status, refused.body.errors[0].pointer]).to.deep.equal([400, '/mcp/endpoint'])
  })

  const NAMES = { ens: 'buyer.eth', did: 'did:web:agent.shop-host.io%3A8443:buyer' }

  it('are services of the registration file that can be changed and removed', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Named', names: NAMES })
    const ens = { name: 'ENS', endpoint: NAMES.ens, version: 'v1' }
    expect(await servicesOf(svcId)).to.deep.equal([ens, { name: 'DID', endpoint: NAMES.did, version: 'v1' }])
    const agent = await read(svcId, owner.personalKey)
    expect([agent.names, agent.protocols]).to.deep.equal([NAMES, []])
    expect((await patch(svcId, { names: { did: null } })).body.agent.names).to.deep.equal({ ens: NAMES.ens })
    expect(await servicesOf(svcId)).to.deep.equal([ens])
    expect((await patch(svcId, { names: null })).body.agent).to.not.have.property('names')
    expect(await servicesOf(svcId)).to.deep.equal([])
  })

  it('include every ENS name in its normal form, in any script', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Named' })
    for (const ens of [
      ...[
        'büyer.eth',
        'straße.eth',
        '中文.eth',
        'مثال.eth',
        'ξένος.eth',
        '👩🏽‍🚀.eth',
        '🤝.agent.eth',
        'a’b.eth',
      ],
      ...['a.b', '0.eth', '_dns.buyer.eth', '-a-.eth', '$.eth', `${'é'.repeat(249)}.eth`],
    ]) {
      const { status, body } = await patch(svcId, { names: { ens } })
      expect([status, body.agent?.names], ens).to.deep.equal([200, { ens }])
      expect(await servicesOf(svcId)).to.deep.equal([{ name: 'ENS', endpoint: ens, version: 'v1' }])
    }
  })

  it('are rejected in another spelling, which the error corrects', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Named', names: NAMES })
    for (const [ens, normal] of [
      ['Buyer.eth', 'buyer.eth'],
      ['BÜYER.eth', 'büyer.eth'],
      ['bu\u0308yer.eth', 'b\u00fcyer.eth'],
      ['buy\u200ber.eth', 'buyer.eth'],
      ['👍\ufe0f.eth', '👍.eth'],
      ["a'b.eth", 'a’b.eth'],
    ] as const) {
      const error = {
        pointer: '/names/ens',
        code: 'not_normal',
        message: `expected the normal form of this name: ${normal}`,
      }
      for (const answer of [
        await registerAgent(registry, signer, { name: 'Named', names: { ens } }),
        await registry.call('POST', '/api/registration-requests', {
          body: { name: 'Named', names: { ens } },
          bearer: owner.bearer,
        }),
        await patch(svcId, { names: { ens } }),
      ]) {
        expect([answer.status, answer.body.errors], ens).to.deep.equal([400, [error]])
      }
    }
    expect((await read(svcId, owner.personalKey)).names).to.deep.equal(NAMES)
  })

  it('are rejected with the reason if ENS has no such name', async () => {
    for (const [ens, reason] of [
      ['a_b.eth', 'underscore allowed only at start'],
      ['ab--c.eth', 'invalid label extension'],
      ['xn--bcher-kva.eth', 'invalid label extension'],
      ['раураl.eth', 'illegal mixture: Cyrillic + Latin'],
      ['a/b.eth', 'disallowed character: "/"'],
      ['a。b.eth', 'disallowed character: "。"'],
    ] as const) {
      const { status, body } = await registerAgent(registry, signer, { name: 'Named', names: { ens } })
      const [error] = body.errors
      expect([status, error.pointer, error.code], ens).to.deep.equal([400, '/names/ens', 'not_normal'])
      expect(error.message)
        .to.match(/^has no normal form: /)
        .and.contain(reason)
    }
  })

  it('are rejected where they do not have the form of a name', async () => {
    const svcId = await registeredAgent(registry, signer, { name: 'Named' })
    for (const [member, value] of [
      ...[
        '',
        'buyer',
        'buyer .eth',
        '.eth',
        'buyer.',
        'a..eth',
        'a\u0007.eth',
        `${'a'.repeat(250)}.eth`,
        1,
      ].map((ens) => ['ens', ens] as const),
      ...['did:web', 'did:WEB:a', 'did:web:', 'did:web:a#key', 'did:web:a/b', 'did:web:a%3', 'web:a'].map(
        (did) => ['did', did] as const,
      ),
      ['did', `did:web:${'a'.repeat(505)}`],
    ] as const) {
      const names = { [member]: value }
      for (const answer of [
        await registerAgent(registry, signer, { name: 'Named', names }),
        await patch(svcId, { names }),
      ]) {
        const said = [answer.status, answer.body.errors?.[0].pointer]
        expect(said, String(value)).to.deep.equal([400, `/names/${member}`])
      }
    }
  })
})
