import { expect } from 'chai'
import { type Owner, type OwnerScene, openOwnerScene } from '../approvals/openOwnerScene.ts'

const A2A = {
  agentUrl: 'https://translator.example/a2a',
  skills: [{ id: 'translate', name: 'Translate text', tags: ['Languages'] }],
}

describe('the directory of agents', () => {
  let scene: OwnerScene
  let ada: Owner
  const listed: string[] = []
  let hidden: string

  before(async () => {
    scene = await openOwnerScene()
    ada = await scene.owner()
    for (let i = 0; i < 3; i += 1) listed.push(await ada.agent({ name: `Translator ${i}`, a2a: A2A }))
    listed.push(await ada.agent({ name: 'Payer', protocols: ['x402'] }))
    hidden = await ada.agent({ name: 'Hidden', a2a: A2A })
    for (const svcId of listed) await list(svcId, true)
  })
  after(() => scene?.service.stop())

  async function list(svcId: string, isListed: boolean) {
    const headers = { 'X-Svc-Elevation': await ada.elevation() }
    const changed = await ada.call('PUT', `/api/agents/${svcId}/settings`, { headers, body: { isListed } })
    expect(changed.body.isListed).to.equal(isListed)
  }
  const search = async (query: string) => {
    const { status, body } = await scene.call('GET', `/api/directory${query}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }
  const found = async (query: string) =>
    (await search(query)).items.map(({ svcId }: { svcId: string }) => svcId)

  it('lists agents whose owners want that, newest first, to anyone, and by default none', async () => {
    expect(await found('')).to.deep.equal(listed.toReversed())
    const { body } = await ada.call('GET', `/api/agents/${hidden}/settings`)
    expect(body.isListed).to.equal(false)
  })

  it('tells what the agent states, and neither its boundary nor its owner', async () => {
    const [entry] = (await search('?skill=translate&limit=1')).items
    expect(entry).to.deep.include({ name: 'Translator 2', protocols: ['a2a'] })
    expect(entry.skills).to.deep.equal([{ id: 'translate', name: 'Translate text' }])
    expect(entry.services).to.deep.equal([{ name: 'A2A', endpoint: entry.agentCardUrl }])
    expect(entry.trustScore).to.be.a('number')
    expect(JSON.stringify(entry)).not.to.match(/canary|SVCD-|pdlss/)
  })

  it('finds a skill by id, name or tag regardless of case, a protocol, and both together', async () => {
    const translators = listed.slice(0, 3).toReversed()
    for (const skill of ['translate', 'TRANSLATE%20text', 'languages']) {
      expect(await found(`?skill=${skill}`), skill).to.deep.equal(translators)
    }
    expect(await found('?protocol=x402')).to.deep.equal([listed[3]])
    expect(await found('?skill=translate&protocol=x402')).to.deep.equal([])
    expect(await found('?skill=transl')).to.deep.equal([])
  })

  it('leaves out agents below the wanted trust score', async () => {
    expect(await found('?minTrust=1')).to.have.length(listed.length)
    expect(await found('?minTrust=100')).to.deep.equal([])
  })

  it('comes in pages', async () => {
    const first = await search('?limit=3')
    expect([first.items.length, first.hasMore]).to.deep.equal([3, true])
    const rest = await search(`?limit=3&cursor=${first.nextCursor}`)
    expect([rest.items.length, rest.hasMore]).to.deep.equal([1, false])
  })

  it('refuses an unknown protocol and a score that cannot be', async () => {
    for (const query of ['?protocol=none', '?minTrust=101', '?minTrust=-1', '?skill=', '?limit=0']) {
      expect((await scene.call('GET', `/api/directory${query}`)).body.code, query).to.equal(
        'VALIDATION_ERROR',
      )
    }
  })

  it('follows a changed declaration, the setting and the status', async () => {
    const [svcId = ''] = listed
    const skills = [{ id: 'summarise', name: 'Summarise' }]
    await ada.call('PATCH', `/api/agents/${svcId}`, { body: { a2a: { skills } } })
    expect(await found('?skill=summarise')).to.deep.equal([svcId])
    expect(await found('?skill=translate')).not.to.include(svcId)
    await ada.call('POST', `/api/agents/${svcId}/suspend`)
    expect(await found('?skill=summarise')).to.deep.equal([])
    await ada.call('POST', `/api/agents/${svcId}/resume`)
    expect(await found('?skill=summarise')).to.deep.equal([svcId])
    await list(svcId, false)
    expect(await found('')).not.to.include(svcId)
  })
})
