// Starts `ludoglot lsp` and lets VS Code speak with it. Nothing is built: this file runs as it is.
"use strict";
const vscode = require("vscode");
const {LanguageClient} = require("vscode-languageclient/node");

let client;

exports.activate = function activate() {
    const [command, ...args] = vscode.workspace.getConfiguration("ludoglot").get("command");
    client = new LanguageClient("ludoglot", "Ludoglot", {command, args}, {
        documentSelector: [{scheme: "file", language: "ludoglot"}, {scheme: "file", language: "yaml"}],
        initializationOptions: {lang: vscode.env.language},
        synchronize: {fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{rules,yaml,po}")},
    });
    return client.start();
};

exports.deactivate = function deactivate() {
    return client ? client.stop() : undefined;
};
