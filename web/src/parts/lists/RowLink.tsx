import { Group, Paper, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { followLink } from '../../router/navigate.ts'
import { revealNode } from '../code/revealText.ts'
import { Icon } from '../Icon.tsx'
import classes from './RowLink.module.css'

type Props = {
  to: string
  title: ReactNode
  about?: ReactNode
  left?: ReactNode
  isNew?: boolean
  children?: ReactNode
}

/** A list row that links to a detail page. `children` go to the right, or below on a phone; a new row fades in. */
export function RowLink({ to, title, about, left, isNew, children }: Props) {
  return (
    <Paper
      component="a"
      href={to}
      onClick={followLink}
      withBorder
      className={classes.row}
      data-new={isNew || undefined}
    >
      {left}
      <Stack gap={2} className={classes.text}>
        <Text fw={550} lineClamp={3} style={{ overflowWrap: 'anywhere' }}>
          {revealNode(title)}
        </Text>
        {about && (
          <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
            {revealNode(about)}
          </Text>
        )}
      </Stack>
      <Group gap="xs" className={classes.right}>
        {children}
      </Group>
      <span className={classes.forward}>
        <Icon name="forward" size={16} />
      </span>
    </Paper>
  )
}
