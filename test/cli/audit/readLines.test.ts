import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeJsonLine } from '@svc/core/json.ts'
import { expect } from 'chai'
import fc from 'fast-check'
import { readLines } from '../../../cli/audit/readLines.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('readLines', () => {
  const folder = createTemporaryFolder()
  after(() => folder.remove())
  const file = join(folder.path, 'lines')
  const linesOf = async (text: string) => {
    writeFileSync(file, text)
    const lines: string[] = []
    for await (const line of readLines(file)) lines.push(line)
    return lines
  }

  it('splits only at line feeds', async () => {
    expect(await linesOf('a\u2028b\u2029c\u0085d\re\nf\n\ng')).to.deep.equal([
      'a\u2028b\u2029c\u0085d\re',
      'f',
      '',
      'g',
    ])
    expect(await linesOf('')).to.deep.equal([])
    expect(await linesOf('\n')).to.deep.equal([''])
  })

  it('yields complete lines of any length and script, wherever the chunks of the file end', async () => {
    const lines = Array.from({ length: 40 }, (_, nth) => 'ä🛒\u2028x'.repeat(nth * 331))
    expect(await linesOf(`${lines.join('\n')}\n`)).to.deep.equal(lines)
  })

  it('refuses a line that is longer than any of an archive, and yields those before it', async () => {
    const longest = 'x'.repeat(4_194_304)
    expect(await linesOf(`a\n${longest}\nb\n`)).to.deep.equal(['a', longest, 'b'])
    writeFileSync(file, `a\n${longest}y\nb\n`)
    const lines = readLines(file)
    expect((await lines.next()).value).to.equal('a')
    const message = await lines.next().then(String, (error: Error) => error.message)
    expect(message).to.equal('line 2 is longer than 4194304 characters')
  })

  it('reads back every value from writeJsonLine, whose line no reader splits', async () => {
    const value = fc.oneof(fc.jsonValue(), fc.constantFrom('\u2028', { '\u2029': ['a\u2028b\n'] }))
    await fc.assert(
      fc.asyncProperty(fc.array(value, { minLength: 1, maxLength: 5 }), async (values) => {
        const text = values.map((one) => `${writeJsonLine(one)}\n`).join('')
        expect(text).to.not.match(/[\u2028\u2029]/)
        const read = (await linesOf(text)).map((line) => JSON.parse(line))
        expect(read).to.deep.equal(values.map((one) => JSON.parse(JSON.stringify(one))))
      }),
    )
  })
})
