import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { z } from 'zod'
import { modelOfManifest } from '../../harness/runner/modelOfManifest.ts'
import { readDeployedConfig } from '../../harness/runner/readDeployedConfig.ts'

const ROOT = join(import.meta.dirname, '../../..')
const FOLDER = join(ROOT, 'deploy/kubernetes/backup')

const kustomization = z.object({ resources: z.array(z.string()) })
const template = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.object({
    enableServiceLinks: z.boolean(),
    securityContext: z.looseObject({ runAsUser: z.number() }),
    containers: z.tuple([
      z.object({
        image: z.string(),
        command: z.array(z.string()),
        env: z.array(z.object({ name: z.string(), value: z.string() })),
        securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }),
      }),
    ]),
    volumes: z.array(
      z.looseObject({ persistentVolumeClaim: z.object({ claimName: z.string() }).optional() }),
    ),
  }),
})
const job = z.object({ spec: z.object({ template }) })
const cronJob = z.object({ spec: z.object({ jobTemplate: job }) })

const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'))
const { template: backup } = cronJob.parse(read('cronJob.yaml')).spec.jobTemplate.spec
const { template: restore } = job.parse(read('restore.yaml')).spec
const files = readdirSync(FOLDER).filter((file) => file !== 'kustomization.yaml')

describe('the Kubernetes backup', () => {
  it('consists of its manifests but the restore, which would run at once', () => {
    const { resources } = kustomization.parse(read('kustomization.yaml'))
    expect(resources).to.have.members(files.filter((file) => file !== 'restore.yaml'))
  })

  for (const file of files) {
    it(`fits the published schema: ${file}`, () => {
      modelOfManifest(read(file)).validate()
    })
  }

  it('is built by kustomize', function () {
    const { status, stdout, error } = spawnSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' })
    // kubectl is not installed: only the schemas are checked.
    if (error) this.skip()
    expect(status).to.equal(0)
    expect(stdout.match(/^kind: /gm)).to.have.lengthOf(files.length - 1)
  })

  for (const [name, { metadata, spec }] of Object.entries({ backup, restore })) {
    const [{ command, env, image, securityContext }] = spec.containers

    it(`gives the command the database and the key of the service: ${name}`, () => {
      const settings = env.map((variable) => [variable.name, variable.value])
      const config = readDeployedConfig(Object.fromEntries(settings))
      expect(config.databaseUrl).to.equal('postgres://svc:secret@database/svc')
      expect(config.secretsKey).to.be.a('string')
      const [, script] = /(?:^| )node (\S+)/.exec(command.join(' ')) ?? []
      expect(script).to.equal(`scripts/${name}.ts`)
      expect(existsSync(join(ROOT, `scripts/${name}.ts`))).to.equal(true)
    })

    it(`runs without rights, in the image with the client programs, beside the service: ${name}`, () => {
      expect([spec.enableServiceLinks, securityContext.readOnlyRootFilesystem]).to.deep.equal([false, true])
      expect([image, spec.securityContext.runAsUser]).to.deep.equal(['svc-registry-backup', 10_001])
      // Otherwise requests to the service would be sent to this pod.
      expect(metadata.labels).to.deep.equal({ 'app.kubernetes.io/name': 'svc-registry-backup' })
    })

    it(`uses the volume that is claimed: ${name}`, () => {
      const claims = spec.volumes.flatMap((volume) => volume.persistentVolumeClaim?.claimName ?? [])
      expect(read('persistentVolumeClaim.yaml')).to.have.nested.property('metadata.name', claims[0])
      expect(claims).to.have.lengthOf(1)
    })
  }

  it('has a folder of its own each time', () => {
    const [, , line = ''] = backup.spec.containers[0].command
    const { stdout } = spawnSync('sh', ['-c', line.replace('exec node', 'echo')], { encoding: 'utf8' })
    expect(stdout).to.match(/^scripts\/backup\.ts --to \/backups\/\d{4}-\d\d-\d\dT\d{6}Z$/m)
  })
})
