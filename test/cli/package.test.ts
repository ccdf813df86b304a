import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../builders/participants.ts'
import { createTemporaryFolder } from '../harness/runner/createTemporaryFolder.ts'
import { installCommand } from '../harness/runner/installCommand.ts'
import { type StartedService, startService } from '../harness/service/startService.ts'
import { openSvc } from './openSvc.ts'

describe('the installed command line', function () {
  this.timeout(240_000)
  const project = createTemporaryFolder()
  let service: StartedService
  let installed: Awaited<ReturnType<typeof installCommand>>
  let svc: ReturnType<typeof openSvc>

  before(async () => {
    installed = await installCommand('buildCli', project.path)
    svc = openSvc([process.execPath, join(project.path, 'node_modules/.bin/svc')])
    service = await startService()
  })
  after(async () => {
    await service?.stop()
    svc?.remove()
    project.remove()
  })

  it('is small', () => {
    expect(installed.packedBytes).to.be.lessThan(104 * 1024)
  })

  it('prints its version', async () => {
    const { version } = JSON.parse(readFileSync(join(installed.built, 'package.json'), 'utf8'))
    expect(await svc.start(['--version']).ended()).to.include({ code: 0, out: `${version}\n` })
  })

  it('prints its help', async () => {
    const { code, out } = await svc.start(['--help']).ended()
    expect(code).to.equal(0)
    expect(out).to.include('svc verify')
  })

  it('signs in and verifies at a service', async () => {
    const { apiKey } = await createOrganisation(service.baseUrl)
    const svceId = await registerEndpoint(service.baseUrl, apiKey)
    await svc.start(['login', '--url', service.baseUrl, '--key'], `${apiKey}\n`).ended()
    const { code, out, err } = await svc
      .start(['verify', '--endpoint', svceId, '--purpose', 'read_data:list'])
      .ended()
    expect(out, err).to.match(/^deny: access level none\n/)
    expect(code).to.equal(1)
  })

  it('checks a policy, and the audit log against the chain', async () => {
    const file = join(svc.folder, 'policy.yaml')
    writeFileSync(file, 'version: 1\npdlss:\n  purpose:\n    categories: [shopping]\n')
    expect(await svc.start(['policy', 'lint', file]).ended()).to.include({ code: 0, err: '' })
    const chain = await (await fetch(`${service.baseUrl}/api/chain`)).json()
    const words = ['--rpc', service.rpcUrl, '--log', chain.logId, '--contract', chain.contracts.auditLog]
    const audited = await svc.start(['audit', 'verify', ...words]).ended()
    expect(audited, audited.err + audited.out).to.include({ code: 0 })
  })
})
