import { Stack, Text, ThemeIcon, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { Icon } from '../../../parts/Icon.tsx'
import classes from './Step.module.css'

/** A list of numbered steps. */
export function Steps({ children }: { children: ReactNode }) {
  return <ol className={classes.steps}>{children}</ol>
}

type Props = {
  number: number
  title: string
  /** `waiting` for something outside this page. */
  state: 'open' | 'waiting' | 'done'
  about?: ReactNode
  children?: ReactNode
}

const LABELS = { open: 'Not done yet', waiting: 'Waiting', done: 'Done' } as const

/** A step of a checklist, with its state. */
export function Step({ number, title, state, about, children }: Props) {
  return (
    <li className={classes.step} data-state={state}>
      <ThemeIcon
        size={28}
        radius="xl"
        variant={state === 'done' ? 'filled' : 'light'}
        color={state === 'done' ? 'teal.8' : 'indigo'}
        role="img"
        aria-label={`Step ${number}: ${LABELS[state]}`}
      >
        <Mark number={number} state={state} />
      </ThemeIcon>
      <Stack gap={2} justify="center">
        <Title order={3} fz="md">
          {title}
        </Title>
        {about && (
          <Text size="sm" c="dimmed" maw={720}>
            {about}
          </Text>
        )}
      </Stack>
      {children && <div className={classes.content}>{children}</div>}
    </li>
  )
}

function Mark({ number, state }: Pick<Props, 'number' | 'state'>) {
  if (state === 'done') return <Icon name="check" size={16} />
  if (state === 'waiting') return <span className={classes.waiting} aria-hidden="true" />
  return (
    <Text size="sm" fw={600} component="span" aria-hidden="true">
      {number}
    </Text>
  )
}
