import type { ComponentProps, MouseEvent } from 'react'

type Props = ComponentProps<'button'> & { 'data-loading'?: boolean }

/**
 * The element of every button. While what it does is pending, it stays focusable and ignores clicks: a disabled button
 * would lose the focus, and the keyboard would have to start again at the top of the page.
 */
export function ActionButton({ disabled, onClick, type = 'button', ...others }: Props) {
  const isPending = Boolean(others['data-loading'])
  return (
    <button
      {...others}
      type={type}
      disabled={disabled === true && !isPending}
      aria-disabled={isPending || undefined}
      aria-busy={isPending || undefined}
      onClick={isPending ? ignore : onClick}
    />
  )
}

/** Also keeps a form from being sent by its button, or by Enter in one of its fields. */
function ignore(event: MouseEvent): void {
  event.preventDefault()
}
