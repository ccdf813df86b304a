import { parseCheckpoint } from '@svc/core/audit/checkpoint.ts'
import { expect } from 'chai'
import { createOrganisation, registerEndpoint } from '../../../builders/participants.ts'
import { type StartedWitness, startWitness } from '../../../harness/peers/startWitness.ts'
import { waitUntil } from '../../../harness/runner/waitUntil.ts'
import { api } from '../../../harness/service/api.ts'
import { type StartedService, startService } from '../../../harness/service/startService.ts'

describe('composeWitnesses', () => {
  let service: StartedService
  let witness: StartedWitness
  let silent: StartedWitness

  before(async () => {
    witness = await startWitness()
    silent = await startWitness({ name: 'silent.example/w' })
    // It accepts requests and never responds.
    silent.overrides.push(...Array.from({ length: 100 }, () => () => undefined))
    service = await startService({ settings: { WITNESSES: `${witness.setting}, ${silent.setting}` } })
    const { verifierKey } = (await api(service.baseUrl, 'GET', '/api/audit/key')).body
    witness.addLog(verifierKey)
  })
  after(async () => {
    await service.stop()
    await witness.stop()
    await silent.stop()
  })

  const text = async (path: string, accept = 'text/plain') => {
    const response = await fetch(service.baseUrl + path, { headers: { accept } })
    return response.ok ? await response.text() : null
  }

  it('serves checkpoints and proofs with the cosignatures of a running service, whatever another witness does', async () => {
    const shop = await createOrganisation(service.baseUrl)
    const counterpartyId = await registerEndpoint(service.baseUrl, shop.apiKey)
    const body = { counterpartyId, purpose: 'shopping:buy' }
    const asked = await api(service.baseUrl, 'POST', '/api/agents/verify-access', {
      bearer: shop.apiKey,
      body,
    })
    const proof = await waitUntil(async () => {
      const found = await text(`/api/audit/records/${asked.body.auditRecordId}/proof`)
      return found?.includes('witness.example/w1 ') ? found : null
    })
    const note = proof.slice(proof.indexOf('\n\n') + 2)
    const [, ...cosigners] = parseCheckpoint(note)?.signatures ?? []
    expect(cosigners.map(({ name }) => name)).to.deep.equal(['witness.example/w1'])
    await waitUntil(
      async () => ((await text('/api/audit/checkpoint')) ?? '').includes('witness.example/w1 ') || null,
    )
  })

  it('reports each witness in the metrics and their number in the health check', async () => {
    const metrics = await waitUntil(async () => {
      const read = (await text('/metrics')) ?? ''
      return /^svc_witness_behind_records\{witness="witness[^"]+"\} 0$/m.test(read) ? read : null
    })
    expect(metrics).to.match(
      /^svc_witness_behind_records\{witness="silent\.example\/w\+[0-9a-f]{8}"\} [1-9]/m,
    )
    expect(metrics).to.match(/^svc_witness_failing\{witness="witness\.example\/w1\+[0-9a-f]{8}"\} 0$/m)
    const { checks } = (await api(service.baseUrl, 'GET', '/api/health')).body
    expect(checks.witnesses).to.deep.equal({ status: 'pass', observed: { witnesses: 2, cosigned: 1 } })
  })
})
