import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOrganisation } from '../../builders/participants.ts'
import { errorOf, json } from '../openSvc.ts'
import { openSvcScene, type SvcScene, type SvcUser } from '../openSvcScene.ts'

describe('svc verify', function () {
  this.timeout(120_000)
  let scene: SvcScene
  let svc: SvcUser

  before(async () => {
    scene = await openSvcScene()
  })
  after(() => scene?.service.stop())
  beforeEach(async () => {
    svc = scene.openUser()
    await svc.loginByKey()
  })
  afterEach(() => svc.remove())
  /** Writes the agent's proof, as a gateway would pass it on. */
  async function writeRequest(): Promise<string> {
    const file = join(svc.folder, 'request.json')
    writeFileSync(
      file,
      JSON.stringify(await scene.prove({ agentId: scene.svcId, counterpartyId: scene.svceId })),
    )
    return file
  }
  const verify = async (...args: string[]) =>
    svc.run(['verify', scene.svcId, '--endpoint', scene.svceId, '--request', await writeRequest(), ...args])

  it('exits with 0 and names the record of a granted request', async () => {
    const run = await verify('--purpose', 'shopping:buy', '--value', '10', '--currency', 'EUR')
    expect(run, run.out + run.err).to.include({ code: 0 })
    expect(run.out).to.match(/^grant: access level \w+\n {2}record \S+\n$/)
  })

  it('exits with 1 and names the dimensions of a denied request', async () => {
    const run = await verify('--purpose', 'gambling:bet')
    expect(run.code).to.equal(1)
    expect(run.out)
      .to.match(/^deny: access level none\n/)
      .and.match(/ {2}pdlss\.purpose: /)
  })

  it('exits with 3 and says where to approve a request that the owner has to approve', async () => {
    const run = await verify('--purpose', 'shopping:buy', '--value', '150', '--currency', 'EUR')
    expect(run.code).to.equal(3)
    expect(run.out).to.include('step_up_required').and.include(`approve at http`)
  })

  it('prints what the service warns of, such as a misspelt member of the request file', async () => {
    const file = join(svc.folder, 'misspelt.json')
    writeFileSync(file, JSON.stringify({ agentID: scene.svcId }))
    const run = await svc.run(['verify', '--endpoint', scene.svceId, '--request', file])
    expect([run.code, run.err]).to.deep.equal([1, ''])
    expect(run.out).to.match(/ {2}warning: The member agentID was ignored/)
    // What to do about a failure, below it.
    expect(run.out).to.match(/agent\.identity: .*\n {4}Present the identifier of a registered agent/)
  })

  it('prints the response of the service with --json', async () => {
    const run = await svc.run(['verify', '--endpoint', scene.svceId, '--purpose', 'read_data:list', '--json'])
    expect(json(run)).to.include({ success: true, recommendation: 'deny' })
  })

  it('exits with 2 without an endpoint, for a bad value, and for a request file that is not JSON', async () => {
    const file = join(svc.folder, 'bad.json')
    writeFileSync(file, '[1]')
    for (const [args, message] of [
      [['verify', scene.svcId], 'Name the endpoint'],
      [['verify', scene.svcId, '--endpoint', scene.svceId, '--value', '1e3'], '--value must be a number'],
      [['verify', scene.svcId, '--endpoint', scene.svceId, '--request', file], 'must contain a JSON object'],
      [['verify', scene.svcId, '--endpoint', scene.svceId, '--request', 'missing.json'], 'cannot be read'],
      [['verify', scene.svcId, 'more'], 'Unexpected argument "more"'],
      [['verify', scene.svcId, '--value', '1', '--value', '2'], 'The option --value is there twice.'],
      [['verify', scene.svcId, '--value', '-5'], 'argument is ambiguous. Did you forget'],
    ] as const) {
      const run = await svc.run(args)
      expect(run.code).to.equal(2)
      expect(run.err).to.include(message)
    }
  })

  it('says once what is wrong with each field', async () => {
    const file = join(svc.folder, 'wrong.json')
    writeFileSync(file, '{"purpose":5,"resource":5}')
    const run = await svc.run(['verify', scene.svcId, '--endpoint', scene.svceId, '--request', file])
    expect(run.code).to.equal(2)
    expect(run.err.match(/\/(purpose|resource): /g)).to.have.members(['/purpose: ', '/resource: '])
  })

  it('exits with 4 if the endpoint belongs to another account', async () => {
    const other = await createOrganisation(scene.service.baseUrl)
    await svc.loginByKey(other.apiKey)
    const run = await svc.run(['verify', scene.svcId, '--endpoint', scene.svceId, '--json'])
    expect(run.code).to.equal(4)
    expect(errorOf(run).code).to.equal('COUNTERPARTY_KEY_MISMATCH')
  })
})
