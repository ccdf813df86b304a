import { expect } from 'chai'
import { buildConnectionsSection } from '../../bench/buildConnectionsSection.ts'

const rates = new Map([
  ['bare Express 5, 1 connection', [5_000]],
  ['Express, better-sqlite3, one commit per request, 1 connection', [2_000, 1_900, 100]],
  ['ours, SQLite, 1 connection', [1_520, 1_600, 1_500]],
  ['bare Express 5, 64 connections', [12_000]],
  ['ours, PostgreSQL, 64 connections', [3_000]],
  ['ours, PostgreSQL, 2 processes, 64 connections', [3_300]],
])
const locked = new Map([['ours, PostgreSQL, 64 connections', [0.1, 0.3, 0.2]]])
const { rows, notes } = buildConnectionsSection({ connections: [1, 64], rates, locked })
const rowOf = (name: string) => rows.find((row) => row.name === name)

describe('buildConnectionsSection', () => {
  it('judges a single connection by the peer that commits each request', () => {
    const row = rowOf('ours, SQLite / Express, better-sqlite3, one commit per request, 1 connection')
    expect(row).to.include({ value: 0.8, unit: '×' })
    expect(row?.target).to.deep.equal({ atLeast: 0.9 })
  })

  it('judges PostgreSQL by bare Express, and two processes by one', () => {
    const one = rowOf('ours, PostgreSQL / bare Express 5, 64 connections')
    const two = rowOf('ours, PostgreSQL, 2 processes / ours, PostgreSQL, 64 connections')
    expect([one?.value, one?.target]).to.deep.equal([0.25, { atLeast: 0.5 }])
    expect([two?.value, two?.target]).to.deep.equal([1.1, { atLeast: 1 }])
  })

  it('relates medians to bare Express with as many connections', () => {
    expect(rowOf('ours, SQLite, 1 connection')).to.deep.include({ value: 1_520, ratio: 0.304 })
    expect(rowOf('ours, PostgreSQL, 64 connections')?.ratio).to.equal(0.25)
    const time = rowOf('ours, PostgreSQL, 64 connections: time the log is locked')
    expect(time).to.deep.include({ value: 20, range: [10, 30] })
  })

  it('leaves out what was not measured, and says why', () => {
    expect(notes.join()).to.not.include('not installed')
    const sqlite = new Map([...rates].filter(([name]) => !name.includes('PostgreSQL')))
    const without = buildConnectionsSection({ connections: [1, 64], rates: sqlite, locked: new Map() })
    expect(without.rows.map(({ name }) => name).join()).to.not.include('PostgreSQL')
    expect(without.notes.join()).to.include('PostgreSQL is not installed here')
  })
})
