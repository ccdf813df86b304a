import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { SETTINGS } from '../../server/config/settings.ts'
import { readBlocks } from '../docs/readBlocks.ts'

const ROOT = join(import.meta.dirname, '../..')
const readDeployed = (path: string) => readFileSync(join(ROOT, path), 'utf8')

/** Whether a text gives a former key the same way as the key beside it. */
function expectBeside(text: string, deployed: string, patternOf: (setting: string) => RegExp): void {
  const [name = ''] = /\w+_FORMER_FILE/.exec(text) ?? []
  expect(SETTINGS).to.have.property(name.replace(/_FILE$/, ''))
  const [, value] = patternOf(name).exec(text) ?? []
  const [, current] = patternOf(name.replace('_FORMER', '')).exec(deployed) ?? []
  expect(value).to.equal(`${current}-former`)
}

describe('the former key that docs/operations.md adds to a deployment', () => {
  const [compose, patch] = readBlocks('docs/operations.md').filter(({ language }) => language === 'yaml')
  const [dropIn] = readBlocks('docs/operations.md').filter(({ language }) => language === 'ini')

  it('is a secret of the service in Compose, mounted beside the key', () => {
    const { services, secrets } = parse(compose?.text ?? '')
    const [secret] = services.registry.secrets
    const deployed = parse(readDeployed('compose.yaml'))
    expect(deployed.services).to.have.property('registry')
    expect(secrets[secret].file).to.equal(`${deployed.secrets[secret.replace('-former', '')].file}-former`)
    expectBeside(compose?.text ?? '', readDeployed('compose.yaml'), (name) => new RegExp(`${name}: (\\S+)`))
  })

  it('is a variable of the container in Kubernetes, beside that of the key', () => {
    const [{ path, value }] = parse(patch?.text ?? '')
    const deployed = parse(readDeployed('deploy/kubernetes/deployment.yaml'))
    const { env } = deployed.spec.template.spec.containers[0]
    expect(path).to.equal('/spec/template/spec/containers/0/env/-')
    const key = env.find(({ name }: { name: string }) => name === value.name.replace('_FORMER', ''))
    expect(value.value).to.equal(`${key.value}-former`)
  })

  it('is a credential of the unit in systemd, beside the key', () => {
    const unit = readDeployed('deploy/svc-registry.service')
    const [, credential] = /^LoadCredential=(.*)-former$/m.exec(dropIn?.text ?? '') ?? []
    const [id, path] = credential?.split('-former:') ?? []
    expect(unit).to.include(`LoadCredential=${id}:${path}\n`)
    expectBeside(dropIn?.text ?? '', unit, (name) => new RegExp(`[ =]${name}=(\\S+)`))
  })
})
