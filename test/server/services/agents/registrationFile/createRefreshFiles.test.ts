import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createRegistrationFiles } from '../../../../../server/external/registrationFiles.ts'
import { createRefreshFiles } from '../../../../../server/services/agents/registrationFile/createRefreshFiles.ts'
import { createPublishRegistrationFile } from '../../../../../server/services/agents/registrationFile/publishRegistrationFile.ts'
import { registrationFileOf } from '../../../../../server/services/agents/registrationFile/registrationFileOf.ts'
import { buildProvisionalAgent } from '../../../../../server/services/platforms/buildProvisionalAgent.ts'
import type { AgentRow } from '../../../../../server/store/agents/agentStore.ts'
import { createTemporaryFolder } from '../../../../harness/runner/createTemporaryFolder.ts'

const PUBLIC_URL = 'https://svc.example'
const HOUR = 3_600_000

describe('createRefreshFiles', () => {
  const folder = createTemporaryFolder()
  const errors: object[] = []
  let dir: string
  let agents: Map<string, AgentRow>
  let written: string[]
  let now: number
  let nth = 0
  let isDatabaseAway: boolean

  beforeEach(() => {
    nth += 1
    dir = join(folder.path, String(nth))
    agents = new Map()
    written = []
    now = Date.now()
    isDatabaseAway = false
  })
  after(() => folder.remove())

  const nameOf = (number: number): string => `SVC-${String(number).padStart(22, '0')}`
  /** Stores an agent, whose file may be another one than its row says. */
  function put(number: number, fields: Partial<AgentRow> = {}): string {
    const svcId = nameOf(number)
    const platform = { id: svcId, name: 'Agent', operator: 'nobody' } as Parameters<
      typeof buildProvisionalAgent
    >[0]
    const row = {
      ...buildProvisionalAgent(platform, 1, (length) => new Uint8Array(length)),
      svcId,
      ...fields,
    }
    agents.set(svcId, { ...row, registrationFileHash: registrationFileOf(row, PUBLIC_URL).sha256 })
    return svcId
  }
  function putFile(svcId: string, text = 'Quuxfield'): void {
    mkdirSync(dir, { recursive: true })
    writeFileSync(fileOf(svcId), text)
  }
  const fileOf = (svcId: string): string => join(dir, `${svcId}.json`)
  const textOf = (svcId: string): string => readFileSync(fileOf(svcId), 'utf8')
  const rowOf = (svcId: string): AgentRow => agents.get(svcId) as AgentRow
  const expected = (svcId: string): string => registrationFileOf(rowOf(svcId), PUBLIC_URL).text

  function open() {
    const files = createRegistrationFiles(dir)
    const store = {
      async bySvcId(svcId: string) {
        if (isDatabaseAway) throw new Error('the database is away')
        return agents.get(svcId) ?? null
      },
    }
    const log = { error: (fields: object) => void errors.push(fields) }
    const publish = createPublishRegistrationFile({ agents: store, files, publicUrl: PUBLIC_URL, log })
    const refresh = createRefreshFiles({
      agents: store,
      files,
      publicUrl: PUBLIC_URL,
      publishFile(svcId) {
        written.push(svcId)
        return publish(svcId)
      },
    })
    const settle = async () => {
      let rounds = 0
      while ((await refresh.round(now)) > 0) rounds += 1
      return rounds
    }
    return { refresh, settle }
  }

  it('rewrites at the start every file that is not as the database says, and no other', async () => {
    const stale = put(1)
    const current = put(2)
    const unrequested = put(3)
    putFile(stale)
    putFile(current, expected(current))
    putFile(nameOf(4), 'of an unknown agent')
    writeFileSync(join(dir, 'example.json'), '{}')
    await open().settle()
    expect(textOf(stale)).to.equal(expected(stale))
    expect(written).to.deep.equal([stale])
    expect(existsSync(fileOf(unrequested))).to.equal(false)
    expect(textOf(nameOf(4))).to.equal('of an unknown agent')
  })

  it('rewrites the file of an agent that was reported as changed', async () => {
    const svcId = put(1)
    const { refresh, settle } = open()
    await settle()
    putFile(svcId)
    refresh.onAgentChanged(svcId)
    refresh.onAgentChanged(nameOf(9))
    await settle()
    expect(textOf(svcId)).to.equal(expected(svcId))
  })

  it('leaves a file that says what it would write, although its agent awaits another PUBLIC_URL', async () => {
    const svcId = put(1)
    putFile(svcId, expected(svcId))
    agents.set(svcId, { ...rowOf(svcId), registrationFileHash: 'that of the former address' })
    await open().settle()
    expect(written).to.deep.equal([])
  })

  it('looks at fifty files in a round', async () => {
    for (let number = 0; number < 120; number += 1) putFile(put(number))
    expect(await open().settle()).to.equal(3)
    expect(written).to.have.length(120)
  })

  it('searches again after a day, and after an hour if changes may have been missed', async () => {
    const svcId = put(1)
    const { refresh, settle } = open()
    await settle()
    const isFoundAfter = async (ms: number) => {
      putFile(svcId)
      now += ms
      await settle()
      return textOf(svcId) === expected(svcId)
    }
    expect([await isFoundAfter(23 * HOUR), await isFoundAfter(HOUR)]).to.deep.equal([false, true])
    refresh.onMissed()
    expect([await isFoundAfter(HOUR - 1), await isFoundAfter(1)]).to.deep.equal([false, true])
    expect(await isFoundAfter(HOUR)).to.equal(false)
  })

  it('searches again after an hour where a file could not be compared, or too many agents changed at once', async () => {
    const svcId = put(1)
    const { refresh, settle } = open()
    await settle()
    putFile(svcId)
    isDatabaseAway = true
    refresh.onAgentChanged(svcId)
    const failure = await settle().catch((error: Error) => error.message)
    expect(failure).to.equal('the database is away')
    isDatabaseAway = false
    now += HOUR
    await settle()
    expect(textOf(svcId)).to.equal(expected(svcId))

    putFile(svcId)
    for (let number = 10_001; number > 0; number -= 1) refresh.onAgentChanged(nameOf(number))
    await settle()
    expect(textOf(svcId)).to.equal('Quuxfield')
    now += HOUR
    await settle()
    expect(textOf(svcId)).to.equal(expected(svcId))
  })

  it('deletes what a killed process had begun to write, and not what one is writing', async () => {
    const svcId = put(1)
    putFile(svcId, expected(svcId))
    const drafts = ['1-1', '1-2'].map((number) => `${svcId}.json.${number}.tmp`)
    for (const name of drafts) writeFileSync(join(dir, name), 'Quuxfield')
    const old = now / 1000 - 2 * 3_600
    utimesSync(join(dir, drafts[0] ?? ''), old, old)
    await open().settle()
    expect(readdirSync(dir).sort()).to.deep.equal([`${svcId}.json`, drafts[1]])
  })

  it('finds nothing before the first file, and stops in the middle of a search', async () => {
    const { refresh, settle } = open()
    expect(await settle()).to.equal(0)
    for (let number = 0; number < 60; number += 1) putFile(put(number))
    now += 24 * HOUR
    expect(await refresh.round(now)).to.equal(50)
    await refresh.stop()
    expect(await refresh.round(now)).to.equal(0)
    expect(errors).to.deep.equal([])
  })
})
