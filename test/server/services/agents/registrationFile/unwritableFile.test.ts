import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@svc/core/hash.ts'
import { expect } from 'chai'
import { AGENT_BODY } from '../agentBody.ts'
import {
  newPerson,
  newSigner,
  openRegistry,
  type Person,
  type Registry,
  registerAgent,
  registeredAgent,
} from '../openRegistry.ts'

describe('an agent whose registration file cannot be written', () => {
  let registry: Registry
  let owner: Person
  let svcId: string
  let told: { err?: unknown; svcId?: unknown }[] = []
  const signer = newSigner()

  before(async () => {
    registry = await openRegistry({ log: { error: (fields: object) => told.push(fields) } })
    owner = await newPerson(registry)
    await registry.linkWallet(signer.address, owner.userId)
    svcId = await registeredAgent(registry, signer, AGENT_BODY)
    await rm(registry.registrationFilesDir, { recursive: true })
    await writeFile(registry.registrationFilesDir, 'a file where the folder was')
  })
  beforeEach(() => {
    told = []
  })
  after(() => registry?.close())

  const expectToldOnce = (id: string) => {
    expect(told.map((fields) => fields.svcId)).to.deep.equal([id])
    expect(told[0]?.err).to.have.property('code', 'EEXIST')
  }
  const served = async (id: string) => {
    const response = await fetch(`${registry.url}/registration-files/${id}.json`)
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) }
  }
  const hashOf = async (id: string) => (await registry.stores.agents.bySvcId(id))?.registrationFileHash

  it('is registered anyway, and the operator is notified once', async () => {
    const { status, body } = await registerAgent(registry, signer, AGENT_BODY)
    expect(status).to.equal(201)
    expectToldOnce(body.data.agent.svcId)
  })

  it('is changed anyway', async () => {
    const body = { name: 'Seller' }
    const patched = await registry.call('PATCH', `/api/agents/${svcId}`, { body, bearer: owner.personalKey })
    expect([patched.status, patched.body.agent.name]).to.deep.equal([200, 'Seller'])
    expectToldOnce(svcId)
  })

  it('is suspended anyway', async () => {
    const path = `/api/agents/${svcId}/suspend`
    const suspended = await registry.call('POST', path, { bearer: owner.bearer })
    expect([suspended.status, suspended.body.agent?.agentStatus]).to.deep.equal([200, 'suspended'])
    expectToldOnce(svcId)
  })

  it('has its file served with the bytes of its hash, and written once that is possible', async () => {
    const { status, bytes } = await served(svcId)
    expect([status, sha256Hex(bytes)]).to.deep.equal([200, await hashOf(svcId)])
    expectToldOnce(svcId)
    await rm(registry.registrationFilesDir)
    told = []
    expect((await served(svcId)).bytes).to.deep.equal(bytes)
    expect(told).to.deep.equal([])
    expect(await readFile(join(registry.registrationFilesDir, `${svcId}.json`))).to.deep.equal(bytes)
  })
})
