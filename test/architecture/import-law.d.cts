declare const importLaw: { readonly ourFolders: readonly string[] };

export = importLaw;
