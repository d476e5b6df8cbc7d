import type { Ref } from 'react'
import { FileInput } from '../../ui/form/FileInput.tsx'
import { type Common, commonOf, type Input, type Rules, rulesOf } from '../form/types.ts'

/**
 * A file input; the call is sent as multipart. The value is a list of File. Limit the file size with `check`.
 */
export function file(options: Common & Pick<Rules, 'check'>): Input {
  const { check, ...common } = options
  return {
    ...commonOf(common),
    rules: { ...rulesOf(common), check },
    value: [],
    secret: true,
    send: value => (Array.isArray(value) && value.length > 0 ? value : undefined),
    render: control => (
      <FileInput
        name={control.name}
        accept={common.accept?.join(',')}
        multiple={common.maxFiles !== 1}
        disabled={control.disabled}
        large={control.large}
        onChange={control.onChange}
        onBlur={control.onBlur}
        ref={control.ref as Ref<HTMLInputElement>} // as: a ref takes any element it is mounted on
      />
    ),
  }
}
