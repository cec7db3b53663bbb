import "@turnwire/markdown/highlight-worker";
