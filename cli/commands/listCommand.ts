import { EXIT } from '../exitCodes.ts'
import { listItems } from '../session/listItems.ts'
import { openService } from '../session/openService.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import { parseLimit } from '../terminal/parseLimit.ts'
import { renderTable } from '../terminal/renderTable.ts'
import type { Command } from './command.ts'

type List<Item> = {
  /** Plural, such as `agents`. */
  name: string
  /** Below the base URL. */
  path: string
  columns: Readonly<Record<string, (item: Item) => string>>
}

/** Creates the command that lists one resource of the signed-in account. */
export function listCommand<Item>({ name, path, columns }: List<Item>): Command {
  return {
    summary: `lists the ${name} of your account and your organisations`,
    usage: `Lists the ${name} of your account and your organisations, newest first.

  svc ${name} [--search TEXT] [--limit N]

  --search TEXT   only those whose name or identifier contains it
  --limit N       at most so many, 100 by default
  --json          prints an array of what the API returns`,

    async run(args, terminal) {
      const { values } = parseCommandLine(args, { search: { type: 'string' }, limit: { type: 'string' } })
      const limit = parseLimit(values.limit, 100)
      const { send } = openService(terminal, 'session')
      const query = new URLSearchParams(values.search === undefined ? {} : { search: values.search })
      const items = await listItems<Item>(send, { path, query, limit })
      if (values.json) terminal.out(JSON.stringify(items, null, 2))
      else if (items.length === 0) terminal.out(`No ${name}.`)
      else {
        const rows = items.map((item) => Object.values(columns).map((read) => read(item)))
        for (const line of renderTable([Object.keys(columns), ...rows])) terminal.out(line)
      }
      return EXIT.done
    },
  }
}
