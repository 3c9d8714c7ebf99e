import { Anchor } from "../primitives/anchor.tsx";
import { parseMarkdown, type MarkdownBlock, type MarkdownSpan } from "./parse-markdown.ts";

/** A comment as it was meant. Links open beside the page and tell the other side nothing of where they were found. */
export function Markdown({ source }: { readonly source: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1 [overflow-wrap:anywhere]">
      {parseMarkdown(source).map((block, index) => (
        <Block key={index} block={block} />
      ))}
    </div>
  );
}

function Block({ block }: { readonly block: MarkdownBlock }) {
  if (block.kind === "code") {
    return (
      <pre className="m-0 overflow-x-auto rounded-chip bg-raise px-1.5 py-1 font-mono text-[0.92em] whitespace-pre-wrap">{block.text}</pre>
    );
  }
  if (block.kind === "paragraph") {
    return (
      <p>
        {block.lines.map((line, index) => (
          <span key={index} className="block">
            <Spans spans={line} />
          </span>
        ))}
      </p>
    );
  }
  const items = block.items.map((item, index) => (
    <li key={index}>
      <Spans spans={item} />
    </li>
  ));
  return block.ordered ? <ol className="m-0 list-decimal pl-5">{items}</ol> : <ul className="m-0 list-disc pl-5">{items}</ul>;
}

function Spans({ spans }: { readonly spans: readonly MarkdownSpan[] }) {
  return spans.map((span, index) => <Span key={index} span={span} />);
}

function Span({ span }: { readonly span: MarkdownSpan }) {
  switch (span.kind) {
    case "text":
      return span.text;
    case "code":
      return <code className="rounded-chip bg-raise px-1 font-mono text-[0.92em]">{span.text}</code>;
    case "strong":
      return <strong className="font-semibold">{span.text}</strong>;
    case "emphasis":
      return <em>{span.text}</em>;
    case "link":
      return (
        <Anchor href={span.href} target="_blank" rel="noreferrer noopener">
          {span.text}
        </Anchor>
      );
  }
}
