import { CopyButton } from './CopyButton.tsx';
import classes from './CodeBlock.module.css';

interface CodeBlockProps {
  text: string;
  /** The name of the block. */
  label: string;
  copyLabel: string;
  /** Whether copying the text is the first thing to do in its dialog. */
  isFirst?: boolean;
  onCopied?: () => void;
  /** Whether each line is an item of its own and must not wrap. */
  isList?: boolean;
}

/** A text that the user copies unchanged, such as a key or a command. */
export function CodeBlock({ text, label, copyLabel, isFirst = false, onCopied, isList = false }: CodeBlockProps) {
  return (
    <div className={classes.block} data-list={isList || undefined}>
      <pre className={classes.code} tabIndex={0} role="group" aria-label={label}>
        <code>{text}</code>
      </pre>
      <div className={classes.copy}>
        <CopyButton text={text} label={copyLabel} isFirst={isFirst} {...(onCopied === undefined ? {} : { onCopied })} />
      </div>
    </div>
  );
}
