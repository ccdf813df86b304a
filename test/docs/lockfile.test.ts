import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

type Locked = { engines?: { node?: string } | string[]; optional?: boolean }

const { packages } = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../package-lock.json'), 'utf8'),
) as { packages: Record<string, Locked> }

describe('the lock file', () => {
  it('demands no newer Node than 20 of any required package, so that npm prints no warning (decision 0045)', () => {
    const demanding = Object.entries(packages).filter(([, { engines, optional }]) => {
      const node = Array.isArray(engines) ? undefined : engines?.node
      const least = /^\s*(?:>=|\^|~)?\s*v?(\d+)[\d.]*\s*$/.exec(node ?? '')?.[1]
      return !optional && Number(least ?? 0) > 20
    })
    expect(demanding.map(([path]) => `${path}: delete its "engines", which npm has written`)).to.deep.equal(
      [],
    )
  })
})
