import { maximumDataUrlLength, maximumUrlLength } from "./limit.ts";

/** Decides which URLs reach the tree: what it answers is used, `undefined` means the text is shown instead. */
export interface UrlRule {
  link(url: string): string | undefined;
  image(url: string): string | undefined;
}

export interface UrlRuleOptions {
  /** Also allows links to paths of the embedding page, for pages that serve what an agent names; off by default. */
  readonly allowRelativeLinks?: boolean;
  /** Also loads images over https; off by default, since loading one reveals the reader to a third party. */
  readonly allowRemoteImages?: boolean;
}

/** Browsers drop some of these inside a scheme, and bidirectional controls make a URL read as another. */
const hiddenCharacter = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const scheme = /^[a-z][a-z0-9+.-]*:/i;
/** No user part: `https://bank.example@evil.example` leads to the second. */
const webUrl = /^https?:\/\/(?:[\p{L}\p{N}._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?(?:[/?#][^\\]*)?$/iu;
const mailUrl = /^mailto:[^/\\]+$/i;
const secureUrl = /^https:\/\//i;
const dataImage = /^data:image\/(?:png|jpeg|gif|webp)(?:;base64)?,[a-z0-9+/=%_.~-]*$/i;

function isPlain(url: string): boolean {
  return url.length <= maximumUrlLength && !hiddenCharacter.test(url);
}

/** A path on the same origin: no scheme, no host, and nothing that browsers read as one. */
function isRelative(url: string): boolean {
  return url !== "" && !scheme.test(url) && !url.startsWith("//") && !url.includes("\\");
}

/** The rule of the house: links to http, https and mailto; images only from data. */
export function createUrlRule(options: UrlRuleOptions = {}): UrlRule {
  return {
    link(url) {
      if (!isPlain(url)) return undefined;
      const isAllowed =
        webUrl.test(url) ||
        mailUrl.test(url) ||
        (options.allowRelativeLinks === true && isRelative(url));
      return isAllowed ? url : undefined;
    },
    image(url) {
      if (url.length <= maximumDataUrlLength && dataImage.test(url)) return url;
      const isRemote = secureUrl.test(url) && webUrl.test(url) && isPlain(url);
      return isRemote && options.allowRemoteImages === true ? url : undefined;
    },
  };
}
