import { styleText } from 'node:util'

type Colour = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold'

export type Narrator = ReturnType<typeof createNarrator>

/** Creates the output of the demo, which is coloured only on a terminal. It also counts the checks that failed. */
export function createNarrator(write: (text: string) => void, isTerminal: boolean) {
  let failures = 0
  const paint = (colour: Colour, text: string) => (isTerminal ? styleText(colour, text) : text)
  return {
    chapter: (title: string) => write(`\n${paint('bold', title)}\n`),
    fact: (name: string, value: string) =>
      write(`  ${paint('dim', name.padEnd(16))} ${paint('cyan', value)}\n`),
    note: (text: string) => write(`  ${paint('dim', text)}\n`),
    /** @param actual Printed if the check fails. */
    check(what: string, passes: boolean, actual?: unknown): void {
      if (passes) {
        write(`  ${paint('green', '✓')} ${what}\n`)
        return
      }
      failures += 1
      write(`  ${paint('red', '✗')} ${what}\n`)
      if (actual !== undefined) write(`    ${paint('yellow', JSON.stringify(actual))}\n`)
    },
    /** Polls and prints a dot every half second; returns null after a timeout. */
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
        `\n${failures === 0 ? paint('green', `✓ ${text}`) : paint('red', `✗ ${failures} ${failures === 1 ? 'check' : 'checks'} failed`)}\n`,
      )
    },
  }
}
