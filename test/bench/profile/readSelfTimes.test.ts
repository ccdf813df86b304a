import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { readSelfTimes } from '../../../bench/profile/readSelfTimes.ts'
import { createTemporaryFolder } from '../../harness/runner/createTemporaryFolder.ts'

describe('readSelfTimes', () => {
  const folder = createTemporaryFolder()
  after(folder.remove)

  const frame = (id: number, functionName: string, url: string) => ({
    id,
    callFrame: { functionName, url, lineNumber: 0 },
  })
  /** A profile of five samples, 10 µs apart, from 1,000 µs on. */
  const write = (name: string, nodes: object[], samples: number[]) =>
    writeFileSync(
      join(folder.path, `${name}.cpuprofile`),
      JSON.stringify({ nodes, startTime: 1_000, samples, timeDeltas: samples.map(() => 10) }),
    )
  const everything = { from: 0, to: Number.MAX_SAFE_INTEGER }

  before(() => {
    write('thread', [frame(1, 'other', 'file:///app/server/thread.ts')], [1, 1, 1])
    write(
      'main',
      [
        frame(1, '(idle)', ''),
        frame(2, 'decide', 'file:///app/core/access/decide.ts'),
        frame(3, '', 'file:///app/node_modules/@scope/kit/lib/a.js'),
        frame(4, 'run', 'file:///app/server/main.js'),
        frame(5, '', 'file:///app/node_modules/@scope/kit/lib/b.js'),
      ],
      [2, 1, 3, 5, 4],
    )
  })

  it('returns those of the thread that ran the script, longest first, by function and location, without idle time', () => {
    expect(readSelfTimes(folder.path, '/server/main.js', everything)).to.deep.equal([
      { name: '(anonymous)', place: '@scope/kit', micros: 20 },
      { name: 'decide', place: 'core/access/decide.ts', micros: 10 },
      { name: 'run', place: 'server/main.js', micros: 10 },
    ])
  })

  it('ignores samples outside the window', () => {
    const times = readSelfTimes(folder.path, '/server/main.js', { from: 1_030, to: 1_040 })
    expect(times).to.deep.equal([{ name: '(anonymous)', place: '@scope/kit', micros: 20 }])
  })

  it('throws if no profile is of the script', () => {
    expect(() => readSelfTimes(folder.path, '/server/none.js', everything)).to.throw('none of 2 profiles')
  })
})
