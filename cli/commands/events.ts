import { setTimeout as pause } from 'node:timers/promises'
import type { ActivityEvent } from '@svc/core/contract/activity.ts'
import { escapeForTerminal } from '@svc/core/escapeForTerminal.ts'
import { EXIT } from '../exitCodes.ts'
import { followEvents } from '../session/followEvents.ts'
import { listItems } from '../session/listItems.ts'
import { openService } from '../session/openService.ts'
import { parseCommandLine } from '../terminal/parseCommandLine.ts'
import { parseLimit } from '../terminal/parseLimit.ts'
import type { Command } from './command.ts'

const TYPE_WIDTH = 32

/** `svc events`: the events to which the account is a party. */
export const events: Command = {
  summary: 'shows the events of your account, and follows them',
  usage: `Shows the events to which your account is a party, oldest first.

  svc events [--follow] [--limit N] [--agent SVC-…] [--endpoint SVCE-…] [--type TYPE]

  --follow        shows events as they happen, until Ctrl+C; after a lost connection it continues where it was
  --limit N       at most so many past events, 20 by default
  --agent ID      only events of this agent
  --endpoint ID   only events at this endpoint
  --type TYPE     only events of this type, such as verification.completed
  --json          prints one JSON object a line`,

  async run(args, terminal) {
    const { values } = parseCommandLine(args, {
      follow: { type: 'boolean' },
      limit: { type: 'string' },
      agent: { type: 'string' },
      endpoint: { type: 'string' },
      type: { type: 'string' },
    })
    const limit = parseLimit(values.limit, 20)
    const { apiBaseUrl, send, bearer } = openService(terminal, 'either')
    const { agent, endpoint, type: eventType } = values
    const filters = Object.entries({ agent, endpoint, eventType }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    )
    const query = new URLSearchParams(filters)
    const show = (event: ActivityEvent) => terminal.out(values.json ? JSON.stringify(event) : describe(event))
    if (!values.follow) {
      const past = await listItems<ActivityEvent>(send, { path: '/activity', query, limit })
      if (past.length === 0 && !values.json) terminal.out('No events.')
      for (const event of past.toReversed()) show(event)
      return EXIT.done
    }
    await followEvents({
      url: `${apiBaseUrl}/activity/stream?${query}`,
      bearer,
      onEvent: show,
      onLost: ({ message }) => terminal.err(`${message} Trying again.`),
      wait: (ms) => pause(ms, undefined, { signal: terminal.signal }).catch(() => undefined),
      signal: terminal.signal,
    })
    return EXIT.done
  },
}

function describe({ occurredAt, eventType, agentId, endpointId, eventData }: ActivityEvent): string {
  const { recommendation } = eventData
  const words = [
    occurredAt,
    eventType.padEnd(TYPE_WIDTH),
    agentId ?? 'no agent',
    ...(endpointId === null ? [] : ['→', endpointId]),
    ...(typeof recommendation === 'string' ? [recommendation] : []),
  ]
  return escapeForTerminal(words.join(' '))
}
