/// A key made for these tests, in both forms that OpenSSL 3 writes.
let rsaPKCS1 = """
    -----BEGIN RSA PRIVATE KEY-----
    MIIEogIBAAKCAQEAjIT7Z69GGjLaAPkcz6EMuq4M29r/EpZeE35SOFKG+ZclTK56
    C05MmisOrjcdEBG1UFr8ERoWBGGNK/VoDnaC4s4T8rgF4tL/1rCG9L/HXDP55AUD
    EKFWlvt4/DWmAABqExXzx6uwBDHoubVrMvk+cqAwxf3VPTmCpc8yzKKt+BwcQh6i
    jPZDqNx1P5cNuzYJIPt82sa/papnZoaRHc5ruf1OVVLSqmwRsTq/a1OyRQbioMVi
    9HIpa3n9zjv9Vf6SCcyI0YnJv/pSojYrHRWEZdamXgTmKvOhKRWgsFm7L6HkpAaz
    ave+qgtRrC8ZWk+s0ekNMO9k0g3Rx23T673qIwIDAQABAoIBADsgn8rmsThH6nyb
    Vfi1+y24HBgM4+S12fsY3c7uRvZSF7NW/WqxdUEv2fsLnNKMqP8ZcdReZiJMzALR
    vgnL61I1RaaNsYhaoaV8XSUyZ1hQVJeSVlJSmSVpxmRVzLZWdkv2okAD6coyGAvA
    n01xHEpORoehQe+Dugo8D9OUpmBuD/zIjwkj9SUg0OlVxGHp32JuJRajoTcbEN4x
    feNFWL9shMCMscReJVnahIt+qGu3Vaedv7FoRZwz06fZmfqMNEzTggpxcoU/ZlXI
    llTTOwPhdhRdLn+QVy+EyHpP1uyrj1GadqHfJxpi7i/TXBDIWgVmPnfduJgTCqcm
    3rIJnyECgYEAwcUVPWqLJIGc4frgwRaaXqSOvul/mE6m0iUqfFSVWPpeNyQDZQT7
    SVCUya3sh1W3wrCG2hk4Rn6yqfdY9ShVrncRYWvSBCvLXhc+0ubU3RYbZpYJzQUH
    H1Jq/L+ygrfopY0s3r17D1EsC4K38QSXhh3CAu7niy/ep9frB7mINSECgYEAuaXh
    9O9erME8IXyU8B1w+76KOIZ/8gYfJAGfQRCUy993GL4Gydep8UGjhPUT14acKvQZ
    BJ6R0A6R/xc//wTfOt9q0oe4+pzB24cB8eug4XhXYCAtwh/glvy0fW6jW0ZyvElZ
    aJSJHsApgJyXacyS4qVQvLH5zz9ZQuWA2939MsMCgYAb4NQWev676N3+cU7m2O6q
    0TgsZYHTEvXTZD+BldXK8HKfslG+tgHFYY+WmKxgKEgA/c7ZECnVkqL36ztkQkJZ
    kI3ym0WjDf37cpK6WzWi/WxBzTJpyeBldEEqThZL0lPpha8/+Lj80ivpGAyI46U9
    SYjBTUgI8YEyWtFY0iuzoQKBgCjbN/Imp+hPEoOwHjsFz7KniVXNS+UgscPD05+H
    HagMgvJgB7BuFQlyT6FYKki5aC8Pz12z5BUsz7abEEt4cARN3P1+PxhwXT2J5cSu
    /ZYBXQFbs5ZQW6X+8V3VdoAE7gVAAzw/zDmHQtr6G1x+WCknBrCwXnDc2TEevxAk
    N6/vAoGAEyUX+3/oVFzkotA7IXQSrBHjwL3rYV6Limwm271N0EvbTU0qmtDyXI+1
    hCRKd9QrFaR6EiRCHYOlKT5eeSarE7nWtvvvucYJj7l+0yC0Hpz7BRE2eWC5cNmH
    jH+MwIcbJKjYM9psylSO+u/E46S34TMgcP7/LX53ZZ5Tmf3Rn5o=
    -----END RSA PRIVATE KEY-----
    """
let rsaPKCS8 = """
    -----BEGIN PRIVATE KEY-----
    MIIEvAIBADANBgkqhkiG9w0BAQEFAASCBKYwggSiAgEAAoIBAQCMhPtnr0YaMtoA
    +RzPoQy6rgzb2v8Sll4TflI4Uob5lyVMrnoLTkyaKw6uNx0QEbVQWvwRGhYEYY0r
    9WgOdoLizhPyuAXi0v/WsIb0v8dcM/nkBQMQoVaW+3j8NaYAAGoTFfPHq7AEMei5
    tWsy+T5yoDDF/dU9OYKlzzLMoq34HBxCHqKM9kOo3HU/lw27Ngkg+3zaxr+lqmdm
    hpEdzmu5/U5VUtKqbBGxOr9rU7JFBuKgxWL0cilref3OO/1V/pIJzIjRicm/+lKi
    NisdFYRl1qZeBOYq86EpFaCwWbsvoeSkBrNq976qC1GsLxlaT6zR6Q0w72TSDdHH
    bdPrveojAgMBAAECggEAOyCfyuaxOEfqfJtV+LX7LbgcGAzj5LXZ+xjdzu5G9lIX
    s1b9arF1QS/Z+wuc0oyo/xlx1F5mIkzMAtG+CcvrUjVFpo2xiFqhpXxdJTJnWFBU
    l5JWUlKZJWnGZFXMtlZ2S/aiQAPpyjIYC8CfTXEcSk5Gh6FB74O6CjwP05SmYG4P
    /MiPCSP1JSDQ6VXEYenfYm4lFqOhNxsQ3jF940VYv2yEwIyxxF4lWdqEi36oa7dV
    p52/sWhFnDPTp9mZ+ow0TNOCCnFyhT9mVciWVNM7A+F2FF0uf5BXL4TIek/W7KuP
    UZp2od8nGmLuL9NcEMhaBWY+d924mBMKpybesgmfIQKBgQDBxRU9aoskgZzh+uDB
    FppepI6+6X+YTqbSJSp8VJVY+l43JANlBPtJUJTJreyHVbfCsIbaGThGfrKp91j1
    KFWudxFha9IEK8teFz7S5tTdFhtmlgnNBQcfUmr8v7KCt+iljSzevXsPUSwLgrfx
    BJeGHcIC7ueLL96n1+sHuYg1IQKBgQC5peH0716swTwhfJTwHXD7voo4hn/yBh8k
    AZ9BEJTL33cYvgbJ16nxQaOE9RPXhpwq9BkEnpHQDpH/Fz//BN8632rSh7j6nMHb
    hwHx66DheFdgIC3CH+CW/LR9bqNbRnK8SVlolIkewCmAnJdpzJLipVC8sfnPP1lC
    5YDb3f0ywwKBgBvg1BZ6/rvo3f5xTubY7qrROCxlgdMS9dNkP4GV1crwcp+yUb62
    AcVhj5aYrGAoSAD9ztkQKdWSovfrO2RCQlmQjfKbRaMN/ftykrpbNaL9bEHNMmnJ
    4GV0QSpOFkvSU+mFrz/4uPzSK+kYDIjjpT1JiMFNSAjxgTJa0VjSK7OhAoGAKNs3
    8ian6E8Sg7AeOwXPsqeJVc1L5SCxw8PTn4cdqAyC8mAHsG4VCXJPoVgqSLloLw/P
    XbPkFSzPtpsQS3hwBE3c/X4/GHBdPYnlxK79lgFdAVuzllBbpf7xXdV2gATuBUAD
    PD/MOYdC2vobXH5YKScGsLBecNzZMR6/ECQ3r+8CgYATJRf7f+hUXOSi0DshdBKs
    EePAvethXouKbCbbvU3QS9tNTSqa0PJcj7WEJEp31CsVpHoSJEIdg6UpPl55JqsT
    uda2+++5xgmPuX7TILQenPsFETZ5YLlw2YeMf4zAhxskqNgz2mzKVI7678TjpLfh
    MyBw/v8tfndlnlOZ/dGfmg==
    -----END PRIVATE KEY-----
    """

/// What `openssl dgst -sign` makes with it of the base string of OA-02 with the method's name in it.
let rsaSignatures = [
    "RSA-SHA1":
        "Pco8w9C0CiuX38O3KIn8+vu4kliQsYJjZvvh+3Ai41wKHShlSkaMQiDOMXnIvEbPzJIlUZkj2he8u/vz1cpltmL34ixLuqJq7xCJoGHpBX6O//W+Efpn3gxmLqUta4lI9dK2Bc7c4h+bgMtLuyjXaS/y4r1PjgAeQOdBAzclrEimlgYJK28KLZ0EixpECYwPrkxe7Ii+cjca4a3Zvsp0XRDroUy2kSsCm5sJboqs2pJyEyL6KPL4euPcTw02PoyX0/bPXjMvgmdEp1hL4pHyEB2DNmEu4ha2UdgnOxl6BspevKRMfDrZwJRs2y7Ln3Zh7TrVGLfRYSN5B0c0RiI+dg==",
    "RSA-SHA256":
        "eyuFze+fvVhqYCwhg6Df/6wG0tfEqQwL5Q0lCH0refDbcpOvaE+ysU4/kvVRL5VLb7u5qjXNvRmrVs9DPTawTn/QZOiXxM8nQkW39W7X36dEj3HMCkEsAHV8Xrj8w5ufPJb9m/X589okgQa/Lpb2bkvIvEuzoC7tVIF20tkZb+PLVchuRTZ1OpIT7qGxS+Ox9vXqU9qwmycazYrMiQe5FBSCwuUgmXMkACMOn2iCqKAgxmEGJw18pTmkX/6ynJv5piRxQlhe45oG/7dpEcoBB4p3NKjntqxG39Vx3d0chpBrSpmKYoaBKIU+cSObgMONeZdccDRBS5sXtnN4isOfmw==",
    "RSA-SHA512":
        "iQJN0TFS+s8u8ccg4tfQjBMvPD2d7cmaVRWjExJZh7pX4JiDdJnKu1/T1b/e2ooLAWK7Rkf1elo1L+cIEbATTxcMd2zWo+og/Eee9LJh4AOGnhDItG3Ymc4hPQ9J3+4unmEKf4n4ktZx82mQVWzr6kcxOumYWg91c4O7hpKLvxqLNgpQLQK/a7dHSqjwwCakmqFFUUOs9fsI/yAxNoZ9zmwFwzgOSicuZjRBsy61XyVIfeM6vAJ02uNMtn3UfCWYjmI/EFT3+uYgnA4Jk2wDY1klKfAj3NDH17c3aBCeRmWYzYriqCBwPGpWug/cfZHng4m2sM9mDyL7wMSnu0re3g==",
]
