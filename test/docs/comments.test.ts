import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'

const ROOT = join(import.meta.dirname, '../..')
const COLUMNS_MAX = 125
const CODE =
  '{bench,cli,client,contracts,core,examples,frameworks,scripts,server,test,web}/**/*.{ts,tsx,sol,js}'
const NOT_WRITTEN = /(^|\/)(node_modules|dist|artifacts|cache)\//

describe('comments', () => {
  it(`fit into ${COLUMNS_MAX} columns`, () => {
    const files = globSync(CODE, { cwd: ROOT, exclude: (name) => NOT_WRITTEN.test(`${name}/`) })
    const written = files.filter((file) => !NOT_WRITTEN.test(file))
    expect(written.length).to.be.above(1_000)
    const tooLong = written.flatMap((file) =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .flatMap((line, i) =>
          /^\s*(\/\/|\/?\*)/.test(line) && line.length > COLUMNS_MAX ? [`${file}:${i + 1}`] : [],
        ),
    )
    expect(tooLong).to.deep.equal([])
  })
})
