import type { MarkdownImage, MarkdownInline } from "@turnwire/markdown";
import { type ReactElement, useContext } from "react";
import {
  MarkdownContext,
  type MarkdownImageProps,
  type MarkdownLinkProps,
} from "./markdown-context.ts";

/** Inline nodes in their order. */
export function MarkdownInlines({
  nodes,
}: {
  readonly nodes: readonly MarkdownInline[];
}): ReactElement {
  return (
    <>
      {nodes.map((node, index) => (
        <InlineView key={index} node={node} />
      ))}
    </>
  );
}

function InlineView({ node }: { readonly node: MarkdownInline }): ReactElement {
  const { components } = useContext(MarkdownContext);
  switch (node.type) {
    case "text":
      return <>{node.text}</>;
    case "code":
      return <code className="tw-md-code">{node.text}</code>;
    case "break":
      return <br />;
    case "emphasis":
      return <em>{<MarkdownInlines nodes={node.children} />}</em>;
    case "strong":
      return <strong>{<MarkdownInlines nodes={node.children} />}</strong>;
    case "strikethrough":
      return <del>{<MarkdownInlines nodes={node.children} />}</del>;
    case "link": {
      const Link = components.Link ?? PlainLink;
      const title = node.title === undefined ? {} : { title: node.title };
      return (
        <Link url={node.url} {...title}>
          <MarkdownInlines nodes={node.children} />
        </Link>
      );
    }
    case "image": {
      const Image = components.Image ?? PlainImage;
      return <Image image={node} />;
    }
  }
}

/** Opens elsewhere, and reveals neither the opener nor the referrer to the other site. */
function PlainLink({ url, title, children }: MarkdownLinkProps): ReactElement {
  return (
    <a
      className="tw-md-link"
      href={url}
      title={title}
      target="_blank"
      rel="noopener noreferrer nofollow"
    >
      {children}
    </a>
  );
}

function PlainImage({ image }: MarkdownImageProps): ReactElement {
  const { url, alt, title }: MarkdownImage = image;
  return (
    <img
      className="tw-md-image"
      src={url}
      alt={alt}
      title={title}
      loading="lazy"
      referrerPolicy="no-referrer"
    />
  );
}
