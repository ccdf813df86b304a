import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { parse } from 'yaml'
import { z } from 'zod'
import { TABLE } from '../../../server/routes/index.ts'
import { modelOfManifest } from '../../harness/runner/modelOfManifest.ts'
import { readDeployedConfig } from '../../harness/runner/readDeployedConfig.ts'
import { STOP_SECONDS } from '../../harness/runner/stopSeconds.ts'
import { serviceLinksOf } from '../../harness/values/serviceLinksOf.ts'

const FOLDER = join(import.meta.dirname, '../../../deploy/kubernetes')

const kustomization = z.object({
  resources: z.array(z.string()),
  configMapGenerator: z.array(z.object({ name: z.string(), literals: z.array(z.string()) })),
})
const deployment = z.object({
  spec: z.object({
    template: z.object({
      metadata: z.object({ labels: z.record(z.string(), z.string()) }),
      spec: z.looseObject({
        containers: z.array(z.record(z.string(), z.unknown())),
        enableServiceLinks: z.boolean(),
        terminationGracePeriodSeconds: z.number(),
      }),
    }),
  }),
})
/** Where each kind has the labels of the pods that it is about. */
const SELECTORS = {
  Deployment: 'spec.selector.matchLabels',
  NetworkPolicy: 'spec.podSelector.matchLabels',
  PodDisruptionBudget: 'spec.selector.matchLabels',
  Service: 'spec.selector',
}
const service = z.object({
  metadata: z.object({ name: z.string() }),
  spec: z.object({ ports: z.tuple([z.object({ name: z.string(), port: z.number() })]) }),
})
const container = z.object({
  env: z.array(z.object({ name: z.string(), value: z.string() })),
  volumeMounts: z.array(
    z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
  ),
  startupProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
  readinessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
  livenessProbe: z.object({ httpGet: z.object({ path: z.string() }) }),
  securityContext: z.looseObject({ readOnlyRootFilesystem: z.boolean() }),
})

const read = (file: string): unknown => parse(readFileSync(join(FOLDER, file), 'utf8'))
const base = kustomization.parse(read('kustomization.yaml'))

const { template } = deployment.parse(read('deployment.yaml')).spec
const [registry] = template.spec.containers.map((text) => container.parse(text))

/** The settings of the pods. */
const settings: Record<string, string> = Object.fromEntries([
  ...base.configMapGenerator.flatMap((map) => map.literals.map((line) => line.split('='))),
  ...(registry?.env.map(({ name, value }) => [name, value]) ?? []),
])

describe('the Kubernetes base', () => {
  it('lists every manifest of its folder', () => {
    const files = readdirSync(FOLDER).filter((file) => /(?<!kustomization)\.yaml$/.test(file))
    expect(base.resources).to.have.members(files)
  })

  for (const file of base.resources) {
    it(`fits the published schema: ${file}`, () => {
      modelOfManifest(read(file)).validate()
    })

    it(`is about the pods of the service only: ${file}`, () => {
      const selector = SELECTORS[modelOfManifest(read(file)).kind as keyof typeof SELECTORS]
      expect(read(file)).to.have.nested.property(selector).that.deep.equals(template.metadata.labels)
    })
  }

  it('rejects a manifest that does not fit the schema', () => {
    const text = { apiVersion: 'v1', kind: 'Service', spec: { ports: [{ port: 'eighty' }] } }
    expect(() => modelOfManifest(text).validate()).to.throw('port')
  })

  it('is built by kustomize', function () {
    const { status, stdout, error } = spawnSync('kubectl', ['kustomize', FOLDER], { encoding: 'utf8' })
    // kubectl is not installed: only the schemas are checked.
    if (error) this.skip()
    expect(status).to.equal(0)
    expect(stdout.match(/^kind: /gm)).to.have.lengthOf(base.resources.length + 1)
  })

  it('gives the service settings that it starts with', () => {
    const config = readDeployedConfig(settings)
    expect(config.databaseUrl).to.be.a('string')
    expect(config.metricsToken).to.equal('metrics')
    expect(config.chain.local).to.equal(false)
  })

  it('drains while the Ingress takes note, and waits for the stop', () => {
    const { drainSeconds } = readDeployedConfig(settings).http
    expect(drainSeconds).to.be.above(0)
    expect(template.spec.terminationGracePeriodSeconds).to.equal(STOP_SECONDS + drainSeconds)
  })

  it('starts beside Services whose names resemble settings', () => {
    expect(template.spec.enableServiceLinks).to.equal(false)
    // An overlay, or a pod that is written by hand, may lack that.
    const { metadata, spec } = service.parse(read('service.yaml'))
    const [{ name: portName, port }] = spec.ports
    const links = [metadata.name, 'audit', 'chain', 'platform-api', 'relayer', 'witness'].map((name) =>
      serviceLinksOf(name, [[portName, port]]),
    )
    const surroundings = Object.assign({}, ...links)
    expect(surroundings).to.include.keys('SVC_REGISTRY_SERVICE_HOST', 'SVC_REGISTRY_PORT_80_TCP')
    expect(readDeployedConfig(settings, surroundings).chain).to.deep.equal(readDeployedConfig(settings).chain)
  })

  it('probes routes that anyone may read without a rate limit, and however busy the service is', () => {
    for (const probe of [registry?.startupProbe, registry?.readinessProbe, registry?.livenessProbe]) {
      const row = TABLE.find(([method, path]) => method === 'GET' && path === probe?.httpGet.path)
      expect([row?.[2], row?.[3], row?.[4].vital], probe?.httpGet.path).to.deep.equal([
        'anyone',
        'none',
        true,
      ])
    }
  })

  it('lets the service write to its volumes only', () => {
    expect(registry?.securityContext.readOnlyRootFilesystem).to.equal(true)
    const written = registry?.volumeMounts.filter(({ readOnly }) => readOnly !== true)
    expect(written?.map(({ mountPath }) => mountPath)).to.deep.equal(['/data', '/tmp'])
  })
})
