import { expect } from 'chai'
import { rotateRelayer } from '../../../scripts/rotate/rotateRelayer.ts'
import type { RelayerHandOver } from '../../../server/services/relayer/handOverRelayer.ts'

const LEFT: RelayerHandOver = {
  ...{ from: '0xf0', to: '0x70', operator: '0x70', isLogPending: false },
  ...{ transactions: 0, tokens: 0, blocks: { final: 10, known: 10 } },
}

describe('the loop of npm run rotate-relayer', () => {
  /** Runs it over these answers, a pause apart, and returns what it prints. */
  async function run(answers: Partial<RelayerHandOver>[], pauseMs = 1_000): Promise<string[]> {
    const printed: string[] = []
    let now = 0
    const rest = [...answers]
    await rotateRelayer({
      handOver: async () => ({ ...LEFT, ...rest.shift() }),
      print: (line) => void printed.push(line),
      pause: async () => {
        now += pauseMs
      },
      clock: () => now,
    })
    expect(rest, 'answers that it did not ask for').to.deep.equal([])
    return printed
  }

  it('ends when nothing is left, and says each change once', async () => {
    const isLogPending = true
    expect(
      await run([
        { isLogPending, tokens: 2 },
        { isLogPending, tokens: 2 },
        { transactions: 1, tokens: 1 },
      ]),
    ).to.deep.equal([
      'the log is being handed over; 0xf0 has 0 open transactions and 2 tokens.',
      'the log is handed over; 0xf0 has 1 open transactions and 1 tokens.',
      'The account 0x70 operates the log, and 0xf0 has nothing left to do.',
      'RELAYER_PRIVATE_KEY_FORMER may be removed: restart every process without it.',
    ])
  })

  it('waits until the tokens are known up to the last transaction, which may have been a mint', async () => {
    const blocks = (known: number) => ({ blocks: { final: known + 2, known } })
    const printed = await run([
      blocks(7),
      blocks(8),
      { tokens: 1, ...blocks(9) },
      blocks(10),
      blocks(11),
      blocks(12),
    ])
    expect(printed[0]).to.equal('Waiting until the tokens are known up to block 9.')
    expect(printed.at(-1)).to.match(/may be removed/)
  })

  it('asks after a minute without a change whether the service runs with both keys', async () => {
    const printed = await run(Array(4).fill({ transactions: 3 }), 30_000)
    expect(printed[1]).to.match(
      /^Nothing has changed for a minute: every process of the service must run with both keys/,
    )
  })
})
