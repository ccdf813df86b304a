import { expect } from 'chai'
import { searchNamed } from '../../../server/services/searchNamed.ts'

describe('searchNamed', () => {
  /** Rows at the positions from `count` down to 1, as read by a store. */
  const rows = (count: number, nameAt: (position: number) => string) => {
    const all = Array.from({ length: count }, (_, at) => ({
      position: count - at,
      name: nameAt(count - at),
    }))
    return async ({ limit, before }: { limit: number; before: number | null }) =>
      all.filter(({ position }) => before === null || position < before).slice(0, limit)
  }
  const search = (read: ReturnType<typeof rows>, text: string, limit = 10, before: number | null = null) =>
    searchNamed({ search: text, page: { limit, before } }, read, ({ name }) => [null, name])
  const places = ({ found }: { found: { position: number }[] }) => found.map(({ position }) => position)

  it('finds a part of a text in either case, in every alphabet', async () => {
    for (const [name, text] of [
      ['Order desk', 'DER D'],
      ['Éclair', 'éCL'],
      ['ЗАКАЗЫ', 'заказ'],
      ['Ｏｒｄｅｒｓ', 'orders'],
      ['50%_off', '%_'],
    ] as const) {
      expect(
        places(
          await search(
            rows(1, () => name),
            text,
          ),
        ),
        name,
      ).to.deep.equal([1])
    }
    expect(
      places(
        await search(
          rows(1, () => 'Order'),
          '%',
        ),
      ),
    ).to.deep.equal([])
  })

  it('continues after the last returned item', async () => {
    const read = rows(9, (position) => (position % 2 === 1 ? 'odd' : 'even'))
    const first = await search(read, 'odd', 2)
    expect([places(first), first.nextBefore]).to.deep.equal([[9, 7], 7])
    const second = await search(read, 'odd', 3, first.nextBefore)
    expect([places(second), second.nextBefore]).to.deep.equal([[5, 3, 1], null])
  })

  it('scans twenty thousand rows, and reports where it stopped', async () => {
    const read = rows(20_500, (position) => (position === 3 || position === 600 ? 'wanted' : 'other'))
    const first = await search(read, 'wanted')
    expect([places(first), first.nextBefore]).to.deep.equal([[600], 501])
    expect(places(await search(read, 'wanted', 10, first.nextBefore))).to.deep.equal([3])
  })

  it('reads no further than it has to', async () => {
    let reads = 0
    const read = rows(5_000, () => 'wanted')
    const counting = (page: Parameters<typeof read>[0]) => {
      reads += 1
      return read(page)
    }
    const { nextBefore } = await search(counting, 'wanted', 10)
    expect([reads, nextBefore]).to.deep.equal([1, 4_991])
  })
})
