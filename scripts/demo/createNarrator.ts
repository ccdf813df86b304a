import { styleText } from 'node:util'

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export type Narrator = ReturnType<typeof createNarrator>

/** Says what happens; colours on a terminal only, and counts what was not as it should be. */
export function createNarrator(write: (text: string) => void, isTerminal: boolean) {
  let failures = 0
  const paint = (colour: Colour, text: string) => (isTerminal ? styleText(colour, text) : text)
  return {
    chapter: (title: string) => write(`\n${paint('bold', title)}\n`),
    fact: (name: string, value: string) =>
      write(`  ${paint('dim', name.padEnd(16))} ${paint('cyan', value)}\n`),
    note: (text: string) => write(`  ${paint('dim', text)}\n`),
    /** One thing that has to be so. */
    check(what: string, isSo: boolean, seen?: unknown): void {
      if (isSo) {
        write(`  ${paint('green', '✓')} ${what}\n`)
        return
      }
      failures += 1
      write(`  ${paint('red', '✗')} ${what}\n`)
      if (seen !== undefined) write(`    ${paint('yellow', JSON.stringify(seen))}\n`)
    },
    /** Waits for something that takes a while, a dot a second; answers null when the time is over. */
    async waitFor<Found>(
      what: string,
      look: () => Promise<Found | null>,
      seconds: number,
    ): Promise<Found | null> {
      const endsAt = Date.now() + seconds * 1000
      write(`  ${paint('dim', `… ${what}`)}`)
      while (Date.now() < endsAt) {
        const found = await look()
        if (found !== null) {
          write('\n')
          return found
        }
        write(paint('dim', '.'))
        await new Promise((resolve) => setTimeout(resolve, 500))
      }
      write('\n')
      return null
    },
    failures: () => failures,
    conclude(text: string): void {
      write(
        `\n${failures === 0 ? paint('green', `✓ ${text}`) : paint('red', `✗ ${failures} checks failed`)}\n`,
      )
    },
  }
}
