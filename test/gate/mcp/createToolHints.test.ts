import { type AskForTools, createToolHints } from '@svc/gate/mcp/createToolHints.ts'
import { expect } from 'chai'

const STAYS = new AbortController().signal
const askAs = (readPage: AskForTools['readPage'], caller = 'one'): AskForTools => ({ caller, readPage })
const list = (...names: string[]) => ({
  result: { tools: names.map((name) => ({ name, annotations: { readOnlyHint: true } })) },
})

describe('what the gate knows of tools', () => {
  it('is asked for at most every two seconds, also if the server does not answer', async () => {
    let [clock, asked] = [0, 0]
    const hints = createToolHints(1_000, () => clock)
    const fail = async () => {
      asked += 1
      if (asked === 2) throw new Error('unreachable')
      return undefined
    }
    const find = () => hints.find('buy', askAs(fail), STAYS)
    for (const [at, total] of [
      ...[
        [0, 1],
        [0, 1],
        [1_999, 1],
        [2_000, 2],
        [3_999, 2],
        [4_000, 3],
      ],
    ] as const) {
      clock = at ?? 0
      expect(await find()).to.deep.equal({})
      expect(asked, String(at)).to.equal(total)
    }
    clock = 6_000
    expect(
      await hints.find(
        'buy',
        askAs(async () => list('buy')),
        STAYS,
      ),
    ).to.deep.equal({ readOnlyHint: true })
    clock = 66_000
    for (const _ of [1, 2]) expect(await find()).to.deep.equal({ readOnlyHint: true })
    expect(asked, 'of what is known, but old').to.equal(4)
  })

  it('is asked for once for calls at the same time, and the one that leaves does not wait', async () => {
    let answer: (message: object) => void = () => undefined
    let asked = 0
    const ask = () => {
      asked += 1
      return new Promise<object>((resolve) => {
        answer = resolve
      })
    }
    const hints = createToolHints(1_000, () => 0)
    const leaving = new AbortController()
    const left = hints.find('buy', askAs(ask), leaving.signal)
    const [buy, sell] = [hints.find('buy', askAs(ask), STAYS), hints.find('sell', askAs(ask), STAYS)]
    leaving.abort()
    expect(await left).to.deep.equal({})
    answer(list('buy'))
    expect([await buy, await sell, asked]).to.deep.equal([{ readOnlyHint: true }, {}, 1])
  })

  it('is asked for on behalf of a caller while others are refused, or wait', async () => {
    const leaving = new AbortController()
    const hints = createToolHints(1_000, () => 0)
    const waiting = hints.find(
      'buy',
      askAs(() => new Promise(() => undefined), 'slow'),
      leaving.signal,
    )
    expect(
      await hints.find(
        'buy',
        askAs(async () => undefined, 'refused'),
        STAYS,
      ),
    ).to.deep.equal({})
    const found = await hints.find(
      'buy',
      askAs(async () => list('buy'), 'authorised'),
      STAYS,
    )
    expect(found).to.deep.equal({ readOnlyHint: true })
    leaving.abort()
    await waiting
  })

  it('is asked for within one limit of time for all pages', async () => {
    const hints = createToolHints(20, () => 0)
    const endless = (_params: object, signal: AbortSignal) =>
      new Promise<undefined>((resolve) => {
        const alive = setInterval(() => undefined, 1_000)
        signal.addEventListener('abort', () => {
          clearInterval(alive)
          resolve(undefined)
        })
      })
    expect(await hints.find('buy', askAs(endless), STAYS)).to.deep.equal({})
  })
})
