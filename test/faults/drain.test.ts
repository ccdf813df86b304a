import { Agent, request } from 'node:http'
import { expect } from 'chai'
import { faultMode } from '../harness/faults/faultMode.ts'
import { type FaultScene, openFaultScene } from '../harness/faults/openFaultScene.ts'
import { reportFaultFigure } from '../harness/faults/reportFaultFigure.ts'
import { waitUntil } from '../harness/runner/waitUntil.ts'
import { countDecisions } from '../harness/service/countDecisions.ts'
import { findMissingRecords } from '../harness/values/findMissingRecords.ts'

const CONNECTIONS = 64
const ROUNDS = { none: 1, short: 3, full: 30 }[faultMode]

describe('SIGTERM under load', function () {
  this.timeout(faultMode === 'full' ? 1_800_000 : 240_000)
  let scene: FaultScene

  before(async () => {
    scene = await openFaultScene()
  })
  after(() => scene?.close())

  /** Requests one decision over a keep-alive connection; rejects if there is no response. */
  function ask(agents: Agent): Promise<string> {
    return new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${scene.shop.apiKey}`, 'content-type': 'application/json' }
      const options = { method: 'POST', agent: agents, headers }
      const outgoing = request(`${scene.baseUrl}/api/agents/verify-access`, options, (incoming) => {
        let text = ''
        incoming.setEncoding('utf8')
        incoming.on('data', (chunk) => {
          text += chunk
        })
        incoming.on('error', reject)
        incoming.on('end', () => {
          const { auditRecordId } = JSON.parse(text) as { auditRecordId: string }
          if (incoming.statusCode === 200) resolve(auditRecordId)
          else reject(new Error(`status ${incoming.statusCode}`))
        })
      })
      outgoing.on('error', reject)
      outgoing.end(JSON.stringify(scene.body))
    })
  }

  it('completes and stores every accepted request, cuts nothing off, and exits', async () => {
    let answers = 0
    let slowestMs = 0
    let unread = 0
    for (let round = 0; round < ROUNDS; round += 1) {
      const agents = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
      const answered: string[] = []
      const failures: string[] = []
      const before = countDecisions(scene.stored())
      const client = async () => {
        for (;;) {
          try {
            answered.push(await ask(agents))
          } catch (error) {
            failures.push((error as NodeJS.ErrnoException).code ?? String(error))
            return
          }
        }
      }
      const load = Promise.all(Array.from({ length: CONNECTIONS }, client))
      await waitUntil(async () => (answered.length > 300 ? true : null))
      const begun = performance.now()
      expect(await scene.service().end('SIGTERM')).to.equal(0)
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      await load
      agents.destroy()
      // Requests that arrive too late are refused or reset unread; no decision is made without being returned.
      expect(['ECONNREFUSED', 'ECONNRESET']).to.include.members(failures)
      unread += failures.filter((code) => code === 'ECONNRESET').length
      const stored = scene.stored()
      expect(findMissingRecords(stored, answered)).to.deep.equal([])
      expect(countDecisions(stored) - before).to.equal(answered.length)
      answers += answered.length
      await scene.restart()
    }
    reportFaultFigure(
      `${ROUNDS} times under ${CONNECTIONS} connections: ${answers} stored and returned, 0 stored but not returned, ${unread} late requests reset unread, exit within ${(slowestMs / 1000).toFixed(1)} s`,
    )
  })
})
